"""Perturbators from any function of a text: another library's, a translation, a language model."""

from __future__ import annotations

import inspect
import random  # noqa: TID251 - seeded for the caller's function, and restored
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.difference import difference
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError, shown
from perturb.registry.async_calls import finished, whose
from perturb.registry.definition import PLACES, WHOLE, Perturbator, build_perturbator
from perturb.registry.vocabulary import Expect, LabelRisk

Function = (
    Callable[..., str]
    | Callable[..., Awaitable[str]]
    | Callable[..., Sequence[str]]
    | Callable[..., Awaitable[Sequence[str]]]
)

# From texts and the seed of each to what becomes of them.
Call = Callable[[list[str], list[int]], list[str]]


def from_function(
    name: str,
    function: Function,
    *,
    seeded: str | None = None,
    batched: bool = False,
    together: bool = True,
    reproducible: bool = True,
    version: int = 1,
    summary: str = "",
    label_risk: LabelRisk = "medium",
    expect: Expect | None = None,
    expect_alone: Expect | None = None,
) -> Perturbator:
    """Make a perturbator of a function from a text to a text.

    The edits are recovered by comparing the text before and after, so the function's perturbator
    has all that others have: protection, spans, records, seeds, and texts that do not depend on
    each other. Use it as a step, as it is; `perturb.register` makes it known by its name as well.

    Args:
        name: lower-case letters, digits and underscores.
        function: from a string to a string, plain or async; it is never called with "".
        seeded: the keyword by which the function takes a seed, an integer in [0, 2**32); with
            `batched`, a list of them. Without it the global generators of `random`, `numpy.random`
            and, where it is loaded, `torch` are seeded before each call of a plain function, and
            restored after it.
        batched: whether the function takes a list of texts and returns one as long. Such a function
            must give each text what it would give it alone; one that draws at random does so only
            from the seeds that `seeded` hands it.
        together: whether the edits of a text are made all together or not at all; `p` is then a
            share of the texts, and a text is left alone where an edit would touch what is
            protected. Otherwise each edit is a place of its own, and `p` a share of these.
        reproducible: whether the function gives the same for the same text and seed; `verify` makes
            the text again only then.
        version: raise it whenever the function would give another text.
        summary: one sentence.
        label_risk: "none", "low", "medium" or "high".
        expect: what becomes of the right answer, see `perturb.perturbator`; "same" where it is not
            given.
        expect_alone: see `perturb.perturbator`.

    Raises:
        UsageError: `name`, `label_risk` or an expectation can't be.
        TypeError: `function` can't be called.

    Examples:
        >>> import perturb
        >>> polite = from_function("polite", lambda text: f"Please: {text}")
        >>> record = perturb.apply("add 3 and 4.", polite, p=1.0)
        >>> record.text, record.edits[0].start, record.restore()
        ('Please: add 3 and 4.', 0, 'add 3 and 4.')
    """
    if not callable(function):
        raise TypeError(
            f"{name}: a function from a text to a text is needed; got {shown(function)}"
        )
    call = _caller(name, function, seeded, batched)

    def find(batch: Batch) -> Sites:
        """Write what a function makes of a text."""
        return sites_by_call(batch, call, together=together)

    return build_perturbator(
        name,
        find,
        unit="text" if together else "place",
        summary=summary,
        label_risk=label_risk,
        source="",
        version=version,
        intensities=WHOLE if together else PLACES,
        reproducible=reproducible,
        expect=expect,
        expect_alone=expect_alone,
    )


def sites_by_call(batch: Batch, call: Call, *, together: bool) -> Sites:
    """Return the sites at which texts differ from what a function makes of them.

    Args:
        batch: the texts.
        call: returns what becomes of texts, given the seed of each.
        together: whether all that differs in a text is one site.
    """
    before = batch.texts.to_list()
    rows = [row for row, text in enumerate(before) if text]
    seeds = (batch.keys[rows] & np.uint64(0xFFFFFFFF)).tolist()
    after = call([before[row] for row in rows], seeds)
    parts = [difference(before[row], text) for row, text in zip(rows, after, strict=True)]
    base = batch.texts.starts[rows].repeat(list(map(len, parts)))
    flat = [part for own in parts for part in own]
    starts = np.array([part[0] for part in flat], np.int64) + base
    ends = np.array([part[1] for part in flat], np.int64) + base
    texts = dict(zip(starts.tolist(), (part[2] for part in flat), strict=True))

    def write(chosen: Chosen) -> Strings:
        return column(texts[start] for start in chosen.texts.starts.tolist())

    if not together:
        return Sites(starts, ends, "place", write)
    sizes = np.array([len(own) for own in parts if own], np.int64)
    return GroupedSites(starts, ends, sizes, "text", write)


def _caller(name: str, function: Function, seeded: str | None, batched: bool) -> Call:
    """Return a function from many texts and their seeds to what becomes of them."""

    def of(given: Any, seed: Any, first: int, seed_globals: Callable[[int], None]) -> Any:
        if seeded is not None:
            return function(given, **{seeded: seed})
        seed_globals(first)
        return function(given)

    def call(texts: list[str], seeds: list[int]) -> list[str]:
        if not texts:
            return []
        with nullcontext(_nothing) if seeded is not None else global_seeds() as seed_globals:
            if batched:
                made = of(texts, seeds, seeds[0], seed_globals)
            else:
                pairs = zip(texts, seeds, strict=True)
                made = [_noting(name, of, text, seed, seed, seed_globals) for text, seed in pairs]
        if batched:
            made = finished(name, [(texts[0], made)])[0] if inspect.isawaitable(made) else made
        elif any(map(inspect.isawaitable, made)):
            made = finished(name, list(zip(texts, made, strict=True)))
        return _checked(name, texts, made)

    return call


def _nothing(_: int) -> None:
    """Seed no generator: the function takes its seed."""


def _noting(name: str, of: Callable[..., Any], text: str, *seeding: Any) -> Any:
    try:
        return of(text, *seeding)
    except Exception as error:
        error.add_note(whose(name, text))
        raise


def _checked(name: str, texts: list[str], given: Any) -> list[str]:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != len(texts):
        raise UsageError(
            f"{name}: a batched function must return a list of {len(texts)} texts for as many; "
            f"got {type(given).__name__}"
        )
    for text, one in zip(texts, given, strict=True):
        if not isinstance(one, str):
            raise TypeError(
                f"{name}: the function must return a string for {text[:80]!r}; got "
                f"{type(one).__name__}"
            )
    return list(given)


@contextmanager
def global_seeds() -> Iterator[Callable[[int], None]]:
    """Give a function that seeds the global random number generators, and restore them at the end.

    To keep and restore their states takes far longer than to seed them, so this is for many texts.
    """
    kept = random.getstate(), np.random.get_state()  # noqa: TID251
    kept_of_torch: list[Any] = []

    def seed(value: int) -> None:
        random.seed(value)
        np.random.seed(value)  # noqa: TID251
        if (torch := sys.modules.get("torch")) is not None:  # a text may be the first to load it
            if not kept_of_torch:
                kept_of_torch.append(torch.get_rng_state())
            torch.manual_seed(value)

    try:
        yield seed
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])  # noqa: TID251
        for state in kept_of_torch:
            sys.modules["torch"].set_rng_state(state)
