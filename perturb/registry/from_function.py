"""Perturbators from functions of a text, of texts, or of one unit such as a word.

Any function of a text will do: another library's, a translation, a language model.
"""

from __future__ import annotations

import inspect
import random  # noqa: TID251 - seeded for the caller's function, and restored
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.difference import difference
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, Sites, Write
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError, shown
from perturb.registry.definition import PLACES, WHOLE, Expect, LabelRisk, Perturbator, UnitFunction
from perturb.registry.making import build_perturbator
from perturb.values.arrays import Int64

Function = (
    Callable[..., str]
    | Callable[..., Awaitable[str]]
    | Callable[..., Sequence[str]]
    | Callable[..., Awaitable[Sequence[str]]]
)

# A function from texts and their seeds to the new texts.
Call = Callable[[list[str], list[int]], list[str]]

# The parameter by which a function takes the random numbers of a place.
_RNG = "rng"
# Async calls at a time, as many as `perturb run` makes: enough to hide the latency of a service,
# and few enough that a service doesn't refuse them.
_AT_ONCE = 16


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
    """Make a perturbator from a function from a text to a text.

    A comparison of the text before and after gives the edits, so this perturbator has everything
    that others have: protection, spans, records, seeds, and independent texts. Use it directly as
    a step; after `perturb.register` its name works too.

    Args:
        name: lower-case letters, digits and underscores.
        function: from a string to a string, plain or async; it is never called with "".
        seeded: the keyword for a seed, an integer in [0, 2**32); with `batched`, a list of seeds.
            Without it, perturb seeds the global generators of `random`, `numpy.random` and, if it
            is loaded, `torch` before each call of a plain function, and restores them afterwards.
        batched: whether the function takes a list of texts and returns a list of the same length.
            Such a function must treat each text as if it were alone, and may draw at random only
            from the seeds that `seeded` passes.
        together: whether to make all edits of a text or none; `p` is then a share of texts, and a
            text stays unchanged if an edit would touch a protected place. Otherwise each edit is a
            place of its own, and `p` a share of these.
        reproducible: whether the function gives the same text for the same text and seed; only
            then does `verify` make the text again.
        version: raise it whenever the function would give another text.
        summary: one sentence.
        label_risk: "none", "low", "medium" or "high".
        expect: what happens to the right answer, see `perturb.perturbator`; by default "same".
        expect_alone: see `perturb.perturbator`.

    Raises:
        UsageError: an invalid `name`, `label_risk` or expectation.
        TypeError: `function` isn't callable.

    Examples:
        >>> import perturb
        >>> polite = from_function("polite", lambda text: f"Please: {text}")
        >>> record = perturb.apply("add 3 and 4.", polite, p=1.0)
        >>> record.text, record.edits[0].start, record.restore()
        ('Please: add 3 and 4.', 0, 'add 3 and 4.')
    """
    if not callable(function):
        raise TypeError(f"{name}: give a function from a text to a text; got {shown(function)}")
    call = caller(name, function, seeded, batched)

    def find(batch: Batch) -> Sites:
        """Replace a text by the result of a function."""
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
    """Return the sites at which a function changes texts.

    Args:
        batch: the texts.
        call: returns new texts for texts and their seeds.
        together: whether all differences of a text are one site.
    """
    before = batch.texts.to_list()
    rows = [row for row, text in enumerate(before) if text]
    seeds = (batch.keys[rows] & np.uint64(0xFFFFFFFF)).tolist()
    after = call([before[row] for row in rows], seeds)
    parts = [difference(before[row], text) for row, text in zip(rows, after, strict=True)]
    sizes = np.array(list(map(len, parts)), np.intp)
    base = batch.texts.starts[rows].repeat(sizes)
    flat = [part for edits in parts for part in edits]
    starts = np.array([start for start, _, _ in flat], np.intp) + base
    ends = np.array([end for _, end, _ in flat], np.intp) + base
    write = writer(starts, (text for _, _, text in flat))
    if not together:
        return Sites(starts, ends, "place", write)
    return GroupedSites(starts, ends, sizes[sizes > 0], "text", write)


def writer(starts: Int64, texts: Iterable[str]) -> Write:
    """Return the function that gives each start its text."""
    text_at = dict(zip(starts.tolist(), texts, strict=True))

    def write(chosen: Chosen) -> Strings:
        return column(text_at[start] for start in chosen.texts.starts.tolist())

    return write


def find_units(name: str, function: UnitFunction, unit: str) -> Callable[..., Sites]:
    """Return a function from a batch to the units that `function` changes.

    Args:
        name: the perturbator, for messages.
        function: returns the replacement of one unit, plain or async; it is never called with "".
            If it has a parameter `rng`, that is a `KeyedRandom` for the place. The result must
            depend only on the arguments, so without `rng` one call serves all equal units.
        unit: "character", "word", "sentence", "line" or "text".

    Raises:
        UsageError: the unit is "place", which no function of a string can find.
    """
    if unit == "place":
        raise UsageError(
            f"{name}: the unit of a function of a string must be character, word, sentence, line "
            "or text; got 'place'"
        )
    signature = inspect.signature(function)
    draws = _RNG in signature.parameters

    @wraps(function)
    def find(batch: Batch, **parameters: Any) -> Sites:
        spans = batch.spans_of(unit)
        spans = spans.take(np.flatnonzero(spans.lengths))
        units = spans.to_list()
        if draws:
            randoms = _randoms(batch, spans.starts)
            calls = zip(units, randoms, strict=True)
            results = [function(each, **parameters, **{_RNG: rng}) for each, rng in calls]
            after = _strings(name, units, results)
        else:
            different = list(dict.fromkeys(units))
            results = [function(each, **parameters) for each in different]
            after_of = dict(zip(different, _strings(name, different, results), strict=True))
            after = [after_of[each] for each in units]
        pairs = zip(units, after, strict=True)
        changed = np.array([text != each for each, text in pairs], np.bool_)
        write = writer(spans.starts, after)
        return Sites(spans.starts[changed], spans.ends[changed], unit, write)

    if draws:  # perturb passes it, so a step must not have it as a parameter
        parameters = [each for key, each in signature.parameters.items() if key != _RNG]
        find.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        find.__annotations__ = {k: v for k, v in find.__annotations__.items() if k != _RNG}
    return find


def _randoms(batch: Batch, starts: Int64) -> Iterator[Any]:
    """Return the `KeyedRandom` of each place."""
    from perturb.registry.from_regex import KeyedRandom  # here, since it imports regex

    rows = batch.edges.searchsorted(starts, "right") - 1
    return map(KeyedRandom, batch.keys[rows].tolist(), (starts - batch.edges[rows]).tolist())


def caller(name: str, function: Function, seeded: str | None = None, batched: bool = False) -> Call:
    """Return a function from many texts and their seeds to the new texts; see `from_function`."""

    def called(argument: Any, seed: Any, seed_globals: Callable[[int], None] | None) -> Any:
        if seed_globals is None:
            return function(argument, **{str(seeded): seed})
        seed_globals(seed[0] if batched else seed)
        return function(argument)

    def one_by_one(texts: list[str], seeds: list[int], seed_globals: Any) -> list[Any]:
        results = []
        for text, seed in zip(texts, seeds, strict=True):
            with _noted(name, text):
                results.append(called(text, seed, seed_globals))
        return results

    def call(texts: list[str], seeds: list[int]) -> list[str]:
        if not texts:
            return []
        with nullcontext() if seeded is not None else global_seeds() as seed_globals:
            results = (called if batched else one_by_one)(texts, seeds, seed_globals)
        if inspect.isawaitable(results):
            (results,) = _awaited(name, [(texts[0], results)])
        is_list = isinstance(results, Sequence) and not isinstance(results, str)
        if not is_list or len(results) != len(texts):
            raise UsageError(
                f"{name}: a batched function must return a text for each of {len(texts)} texts; "
                f"got {type(results).__name__}"
            )
        return _strings(name, texts, results, lambda result: type(result).__name__)

    return call


def _strings(
    name: str, texts: Sequence[str], results: Sequence[Any], quoted: Callable[[object], str] = shown
) -> list[str]:
    """Return the results of a function for texts, awaiting those of an async one.

    Raises:
        TypeError: a result isn't a string; the message quotes it.
    """
    if any(map(inspect.isawaitable, results)):
        results = _awaited(name, list(zip(texts, results, strict=True)))
    for text, result in zip(texts, results, strict=True):
        if not isinstance(result, str):
            raise TypeError(
                f"{name}: the function must return a string for {text[:80]!r}; got {quoted(result)}"
            )
    return list(results)


def _awaited(name: str, calls: Sequence[tuple[str, Awaitable[Any]]]) -> list[Any]:
    """Return the results of async calls, each for a text, running a few of them at a time."""
    import asyncio  # here, since only async functions should pay for it
    from concurrent.futures import ThreadPoolExecutor

    async def run() -> list[Any]:
        free = asyncio.Semaphore(_AT_ONCE)

        async def limited(text: str, call: Awaitable[Any]) -> Any:
            try:
                with _noted(name, text):
                    async with free:
                        return await call
            finally:
                if inspect.iscoroutine(call):  # else Python warns of coroutines that never began
                    call.close()

        return await asyncio.gather(*(limited(*call) for call in calls))

    # Its own thread, since a notebook already runs a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()


@contextmanager
def _noted(name: str, text: str) -> Iterator[None]:
    """Note on an exception of a caller's function its perturbator and the text."""
    try:
        yield
    except Exception as error:
        error.add_note(f"raised by the function of the perturbator {name}, for {text[:80]!r}")
        raise


@contextmanager
def global_seeds() -> Iterator[Callable[[int], None]]:
    """Give a function that seeds the global random number generators, and restore them at the end.

    Saving and restoring their states takes far longer than seeding them, so do it once for many
    texts.
    """
    states = random.getstate(), np.random.get_state()  # noqa: TID251
    states_of_torch: list[Any] = []

    def seed(value: int) -> None:
        random.seed(value)
        np.random.seed(value)  # noqa: TID251
        if (torch := sys.modules.get("torch")) is not None:  # a call may be the first to import it
            if not states_of_torch:
                states_of_torch.append(torch.get_rng_state())
            torch.manual_seed(value)

    try:
        yield seed
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: TID251
        for state in states_of_torch:
            sys.modules["torch"].set_rng_state(state)
