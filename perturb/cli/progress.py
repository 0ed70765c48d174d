"""What the commands that ask a system say on the way, and in the end."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

from perturb.errors import DataError, PerturbError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from perturb.evaluation.journal import Journal
    from perturb.evaluation.run import AskCounts, Progress

_NAMED = 5  # so many of those without answer


@contextlib.contextmanager
def progress(counts: AskCounts) -> Iterator[Progress]:
    """Draw a bar on a terminal; elsewhere, say once that something is tried again."""
    from perturb.evaluation.run import Progress

    if not sys.stderr.isatty():
        yield Progress(lambda: None, _telling_once())
        return
    from tqdm import tqdm

    with tqdm(total=counts.questions, initial=counts.before, unit="row", leave=False) as bar:

        def done() -> None:
            bar.update()

        yield Progress(done, lambda error: bar.set_postfix_str(f"trying again: {error:.60}"))


def _telling_once() -> Callable[[str], None]:
    told: list[str] = []

    def tell(error: str) -> None:
        if not told:
            print(f"perturb: {error}; trying again", file=sys.stderr)
            told.append(error)

    return tell


@contextlib.contextmanager
def kept(journal: Journal, counts: AskCounts) -> Iterator[None]:
    """Say of a run that can't go on where its answers are."""
    from perturb.evaluation.ask import UnreliableError

    try:
        yield
    except PerturbError as error:
        if not counts.answered or isinstance(error, UnreliableError):
            raise
        raise DataError(
            f"{error}; {plural(counts.answered, 'answer')} of this run stand in {journal.path}, "
            "and the same call goes on from there"
        ) from error.__cause__


def failed(counts: AskCounts, what: str, journal: Journal, on_error: str) -> None:
    """Say what had no answer.

    Raises:
        DataError: something had none, and `on_error` is "stop".
    """
    if not counts.failed:
        return
    keys = ", ".join(map(repr, [*counts.failed][:_NAMED]))
    if len(counts.failed) > _NAMED:
        keys += f" and {len(counts.failed) - _NAMED} more"
    message = (
        f"{plural(len(counts.failed), what)} of {counts.questions} had no answer: {keys}; "
        f"the first: {next(iter(counts.failed.values()))}"
    )
    if on_error == "keep":
        print(f"perturb: {message}; the same call asks again", file=sys.stderr)
        return
    raise DataError(
        f"{message}; the same call asks these alone, since all else is kept in {journal.path}, and "
        "with --on-error keep writes the rows without it"
    )


def answers(counts: AskCounts) -> None:
    """Say how many answers there are, and what they took."""
    told = plural(counts.answered, "answer")
    if counts.before:
        told += f", {counts.before} from before"
    if counts.tokens:
        parts = ", ".join(f"{count:,} of the {kind}" for kind, count in counts.tokens.items())
        told += f"; {sum(counts.tokens.values()):,} tokens: {parts}"
    print(f"perturb: {told}", file=sys.stderr)


def manifest(
    path: str, source: str, command: str, options: dict[str, Any], counts: AskCounts
) -> None:
    """Write the manifest of rows with answers; a device has none."""
    from perturb.io.files import replaceable
    from perturb.stream.manifest import write_asked

    if replaceable(path):
        write_asked(
            path,
            asked={"command": command, "options": options},
            source=source,
            counts={
                "answers": counts.before + counts.answered,
                "without_answer": len(counts.failed),
                "tokens": dict(sorted(counts.tokens.items())),
            },
        )


def plural(count: int, noun: str) -> str:
    """A number of things."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
