"""Explain many rows at a time, by asking a system about one text after another."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, NamedTuple

from perturb.evaluation.ask import Ask, Reply, System, UnansweredError, ask_all, with_retries
from perturb.evaluation.ask_rows import AskCounts, AskPolicy, Progress
from perturb.evaluation.event_loop import run_to_end
from perturb.evaluation.journal import Journal, Replies
from perturb.evaluation.questions import Question

# From a text to the answer to it.
AskText = Callable[[str], Any]


class Case(NamedTuple):
    """A row to explain.

    Attributes:
        key: names it among all.
        content: what is asked with a text in place of the row's.
        seed: that the system is asked with.
        explained: the explanation, found by asking a system one text after the other.
    """

    key: str
    content: Callable[[str], Any]
    seed: int | None
    explained: Callable[[AskText], Any]


def explain_cases(
    cases: Iterator[Case],
    journal: Journal,
    system: System,
    policy: AskPolicy,
    counts: AskCounts,
    progress: Progress,
) -> dict[str, Any]:
    """Explain rows, and keep every answer.

    Args:
        cases: the rows. In which order each of them asks must depend on the answers alone: the key
            of a question is that of its case and its number.
        journal: where the answers go. What stands there is not asked again.
        system: what to ask.
        policy: how to ask; its concurrency is also the number of cases at a time.
        counts: what happens is added.
        progress: called on the way.

    Returns:
        The explanations by the keys of the cases, without those of cases that failed.

    Raises:
        DataError: nothing can be asked any more.
    """
    found: dict[str, Any] = {}

    def explained(case: Case, explanation: Any) -> None:
        found[case.key] = explanation
        progress.done()

    def failed(case: Case, error: UnansweredError) -> None:
        counts.failed[case.key] = str(error)
        progress.done()

    async def all_of_them(replies: Replies) -> None:
        async with system as one:
            again = with_retries(one, policy.retries, progress.again)
            ask = _remembering(again, journal, replies, counts)
            async with _from_threads(ask, policy.concurrency) as explanation:
                await ask_all(explanation, cases, policy.concurrency, explained, failed)

    with journal.writing(), journal.reading() as replies:
        run_to_end(all_of_them(replies))
    return found


def _remembering(ask: Ask, journal: Journal, replies: Replies, counts: AskCounts) -> Ask:
    """Ask only what the journal does not answer."""

    async def asked(question: Question) -> Reply:
        reply = replies.get(question.key) if question in journal else None
        if reply is None:
            reply = await ask(question)
            journal.add(question, reply)
            counts.add_new(reply)
        else:
            counts.before += 1
        counts.add(reply)
        return reply

    return asked


@contextlib.asynccontextmanager
async def _from_threads(
    ask: Ask, concurrency: int
) -> AsyncIterator[Callable[[Case], Awaitable[Any]]]:
    """Explain cases in threads, where one text is asked after the other, of a system in the loop.

    The loop turns until the last thread has ended; where all is given up, that is at its next
    question.
    """
    loop = asyncio.get_running_loop()
    threads = ThreadPoolExecutor(concurrency)
    under_way: set[asyncio.Task[Any] | None] = set()
    given_up = False

    async def asked(question: Question) -> Any:
        if given_up:
            raise asyncio.CancelledError
        under_way.add(task := asyncio.current_task())
        try:
            return (await ask(question)).answer
        finally:
            under_way.discard(task)

    def explained(case: Case) -> Any:
        numbers = count()

        def system(text: str) -> Any:
            question = Question(f"{case.key}/{next(numbers)}", case.content(text), case.seed)
            return asyncio.run_coroutine_threadsafe(asked(question), loop).result()

        return case.explained(system)

    async def explanation(case: Case) -> Any:
        return await loop.run_in_executor(threads, explained, case)

    try:
        yield explanation
    finally:
        given_up = True
        for task in filter(None, under_way):
            task.cancel()
        await loop.run_in_executor(None, threads.shutdown)
