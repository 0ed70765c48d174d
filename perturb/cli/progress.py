"""Progress messages and summaries of the commands that ask a system."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from perturb.boundary import visible
from perturb.cli.talk import say
from perturb.errors import DataError, PerturbError
from perturb.io.outputs import signals_held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from perturb.evaluation.ask_rows import AskCounts, Progress
    from perturb.evaluation.journal import Journal
    from perturb.evaluation.limits import Price

_LONG = 5.0  # seconds; after a shorter wait, its end would have passed before anyone reads it
_INTERVAL = 30.0  # seconds between lines of a log: two hours give 240, and a stall shows soon


@contextlib.contextmanager
def progress(counts: AskCounts) -> Iterator[Progress]:
    """Draw a bar on a terminal; elsewhere, write a line every 30 seconds."""
    from perturb.evaluation.ask_rows import Progress

    if not sys.stderr.isatty():
        lines = ProgressLines(counts)
        with lines.written():
            yield Progress(lambda: None, lines.again)
        return
    from tqdm import tqdm

    with tqdm(total=counts.questions, initial=counts.before, unit="row", leave=False) as bar:

        def done() -> None:
            bar.update()

        def again(error: str, seconds: float) -> None:
            bar.set_postfix_str(f"trying again{_when(seconds)}: {visible(error):.60}")

        yield Progress(done, again)


class ProgressLines:
    """Lines with the progress of a run, and at once a line on the first retry.

    Args:
        counts: the counts of the run.
        clock: returns seconds.
        wait: waits for the given seconds, and returns whether the run has ended meanwhile.
    """

    def __init__(
        self,
        counts: AskCounts,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._counts = counts
        self._clock = clock
        self._ended = threading.Event()
        self._wait = wait or self._ended.wait
        self._start = clock()
        self._retries = 0
        self._told = 0.0  # the end of the last wait that was reported

    def again(self, error: str, seconds: float = 0.0) -> None:
        """Count a retry; report the first, and any that ends later than the last reported one."""
        self._retries += 1
        end = self._clock() + seconds if seconds >= _LONG else 0.0
        if self._retries == 1 or end > self._told + _LONG:
            self._told = end
            say(f"{error}; trying again{_when(seconds)}")

    @contextlib.contextmanager
    def written(self) -> Iterator[None]:
        """Write lines until the end."""
        thread = threading.Thread(target=self._write, daemon=True)
        # Python turns an exception that interrupts the lock of a thread into another one.
        with signals_held():
            thread.start()
        try:
            yield
        finally:
            with signals_held():
                self._ended.set()
                thread.join()

    def _write(self) -> None:
        while not self._wait(_INTERVAL):
            say(self.line())

    def line(self) -> str:
        """Return the progress of the run, with an estimate of the time left."""
        counts = self._counts
        done = counts.answered + len(counts.failed)
        parts = [f"{counts.before + done:,} of {plural(counts.questions, 'question')}"]
        pace = done / max(self._clock() - self._start, 1e-9)
        parts.append(f"{pace:.1f} a second")
        if pace:
            parts.append(f"{_duration((counts.questions - counts.before - done) / pace)} to go")
        if self._retries:
            parts.append(plural(self._retries, "retry", "retries"))
        if counts.failed:
            parts.append(f"{len(counts.failed):,} without an answer")
        return ", ".join(parts)


def _when(seconds: float) -> str:
    """Return the time on the clock when a long wait ends; "" for a short wait."""
    if seconds < _LONG:
        return ""
    end = datetime.now().astimezone() + timedelta(seconds=seconds)
    return f" at {end:%H:%M:%S}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


@contextlib.contextmanager
def kept(journal: Journal, counts: AskCounts) -> Iterator[None]:
    """Add to an error that ends a run where its answers are."""
    from perturb.evaluation.ask import UnreliableError

    try:
        yield
    except PerturbError as error:
        if not counts.answered or isinstance(error, UnreliableError):
            raise
        raise DataError(
            f"{error}; {journal.path} keeps {plural(counts.answered, 'answer')} of this run, and "
            "the same call continues from there"
        ) from error.__cause__


def failed(told: str) -> None:
    """Report questions without an answer, if there are any."""
    if told:
        say(told)


def answers(counts: AskCounts, price: Price | None = None) -> None:
    """Report the number of answers, their tokens and their cost."""
    message = plural(counts.answered, "answer")
    if counts.recalled:
        message += f" ({counts.recalled:,} of them from the cache)"
    if counts.before:
        message += f", {counts.before:,} from an earlier call"
    if counts.tokens:
        parts = ", ".join(f"{kind} {count:,}" for kind, count in counts.tokens.items())
        message += f"; {sum(counts.tokens.values()):,} tokens: {parts}"
        if price is not None:
            message += f"; cost {price.shown(counts.tokens)}"
    if counts.refused:
        message += f"; {plural(counts.refused, 'refusal')}"
    if cut := counts.finish.get("length"):
        message += f"; {plural(cut, 'answer')} cut off at the token limit"
    say(message)


def ahead(left: int, answered: int, seconds: float) -> str:
    """Return how many calls are left, and how long they take at the pace of those so far."""
    if not left:
        return ""
    pace = f", about {_duration(left * seconds / answered)}" if answered else ""
    return f"; at most {plural(left, 'call')} to go{pace}"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"
