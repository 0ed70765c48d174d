"""A collate function for PyTorch's DataLoader: new noise in each epoch, whatever the workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from multiprocessing import RawValue
from typing import Any

from perturb.errors import DataError, shown
from perturb.plan import options
from perturb.transform import Transform

__all__ = ["Collate"]


class Collate:
    """Perturb the rows of each batch before they are collated.

    The noise of a row depends only on its id (or its text), the seed and the epoch: batches are the
    same for any number of workers, and a row drawn twice in an epoch is the same both times. Call
    `set_epoch` before each epoch, as for `DistributedSampler`; it reaches workers that are already
    running (`persistent_workers=True`).

    Args:
        transform: perturbs the rows, which are mappings.
        collate_fn: makes a batch of rows; by default PyTorch's `default_collate`.
        keep_record: whether rows keep their record in `perturbation`, which `default_collate` can't
            handle.

    Examples:
        >>> from perturb import Transform
        >>> collate = Collate(Transform("char_swap", p=0.2), collate_fn=list)
        >>> collate([{"id": 1, "text": "How many eggs?"}])
        [{'id': '1#char_swap:p=0.2', 'text': 'oHw mnay eggs?'}]
        >>> collate.set_epoch(1)
        >>> collate([{"id": 1, "text": "How many eggs?"}])
        [{'id': '1#char_swap:p=0.2#1', 'text': 'How many gegs?'}]
    """

    def __init__(
        self,
        transform: Transform,
        collate_fn: Callable[[list[dict[str, Any]]], Any] | None = None,
        *,
        keep_record: bool = False,
    ) -> None:
        if collate_fn is None:
            from torch.utils.data import default_collate

            collate_fn = default_collate
        self._transform = transform
        self._collate_fn = collate_fn
        self._keep_record = keep_record
        # In memory that workers share with this process.
        self._epoch = RawValue("q", 0)

    def set_epoch(self, number: int) -> None:
        """Set the epoch of the noise, here and in all workers.

        Args:
            number: the number of the epoch, from 0.
        """
        self._transform.epoch(number)  # refuses invalid numbers
        self._epoch.value = number

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        """Return the batch of perturbed rows.

        Raises:
            DataError: a row is no mapping.
        """
        for row in rows:
            if not isinstance(row, Mapping):
                made = (
                    "{'text': row}" if isinstance(row, str) else "{'text': row[0], 'label': row[1]}"
                )
                raise DataError(
                    f"Collate takes rows that are mappings; got {shown(row)}: give the DataLoader "
                    f"collate_fn=lambda rows: collate([{made} for row in rows])"
                )
        transform = self._transform.epoch(self._epoch.value)
        # One by one, since a sampler may draw a row twice, but ids in a table are unique.
        batch = [version for row in rows for version in transform([row])]
        if not self._keep_record:
            batch = [{key: row[key] for key in row if key != options.LINKAGE} for row in batch]
        return self._collate_fn(batch)
