"""From the texts of rows to a table of rewordings: ask, check, and ask again."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from perturb._version import __version__
from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import Reply
from perturb.evaluation.ask_rows import AskCounts, Run, ask_questions
from perturb.evaluation.journal import Journal
from perturb.evaluation.judge import verdict_word
from perturb.evaluation.prompts import Prompt, load_prompt
from perturb.evaluation.questions import Question
from perturb.io import json_path
from perturb.io.inputs import open_input
from perturb.io.jsonl import at_line
from perturb.perturbators.shared.rewordings import Rewording, Table, can_be_reworded, hash_of
from perturb.rewording.faults import ENTAILMENT, Check

# What models put around a text although they shouldn't: an opening line, tags, quotes.
_OPENING = re.compile(
    r"(?i)^\W*(?:sure|certainly|of course|here(?:'s| is| are)|(?:re)?(?:worded|phrased?|wording)"
    r"|paraphrased?|(?:new )?text)\b[^\n:?]{0,60}:\s*"
)
_AROUND = re.compile(r"</?(?:text|rewording)>|^[\"“]([^\"“”]*)[\"”]$")


class Asker(NamedTuple):
    """A system with its prompt.

    Attributes:
        asking: opens a run of the system, for a wave of questions.
        journal: keeps its answers.
        prompt: the prompt.
        wrapped: whether it gets an object with the texts and the messages, as programs do.
        counts: of all its questions; updated.
    """

    asking: Callable[[AskCounts], AbstractContextManager[Run]]
    journal: Journal
    prompt: Prompt
    wrapped: bool
    counts: AskCounts

    def question(
        self, key: str, texts: Mapping[str, Any], more: Sequence[Any] = (), repeat: int = 0
    ) -> Question:
        """Return a question whose key holds its digest, so that other checks ask other ones."""
        messages = [*self.prompt.messages({**texts}), *more]
        content = {**texts, "messages": messages} if self.wrapped else messages
        question = Question(key, content, repeat=repeat)
        return question._replace(key=f"{key}:{question.digest()}")

    def replies(self, questions: Sequence[Question]) -> list[Reply | str]:
        """Return the reply to each question, or why there is none."""
        left = [question for question in questions if question not in self.journal]
        wave, total = AskCounts(len(questions), len(questions) - len(left)), self.counts
        if left:
            with self.asking(wave) as run:
                ask_questions(run, iter(left))
        with self.journal.reading() as reply_to:
            replies = [reply_to(each.key) or wave.failed[each.key] for each in questions]
        for reply in replies:
            if not isinstance(reply, str):
                total.add(reply)
        total.questions += wave.questions
        total.before += wave.before
        total.answered += wave.answered
        total.recalled += wave.recalled
        total.failed |= wave.failed
        return replies


def prompt_in(path: Path | str | None, name: str) -> Prompt:
    """Return the prompt in a file, or one that comes with perturb.

    Raises:
        UsageError: the file can't be read, or lacks `{text}`.
    """
    shipped = files("perturb.evaluation") / "prompt_sets" / f"{name}.yaml"
    prompt = load_prompt(Path(str(path or shipped)))
    if path is not None and "{text}" not in prompt.user:
        raise UsageError(f"{path}: the prompt must contain {{text}}, the text to reword")
    return prompt


def texts_of(path: str, fields: Sequence[str]) -> list[str]:
    """Return the different texts in fields of rows, in their order.

    Raises:
        DataError: a row lacks a field, or there is no text in the file.
    """
    found: dict[str, None] = {}
    with contextlib.closing(open_input(path)) as source:
        for number, row in source.rows():
            with at_line(source.at(number)):
                for field in fields:
                    for _, value in json_path.locate(row, field):
                        if isinstance(value, str) and can_be_reworded(value):
                            found[value] = None
                        elif not isinstance(value, str | None):
                            raise DataError(
                                f"the field {field!r} must be a text; got {value!r:.60}"
                            )
    if not found:
        raise DataError(f"{path} has no text in {' or '.join(fields)}")
    return [*found]


def reword(
    texts: Sequence[str],
    asker: Asker,
    judge: Asker | None = None,
    *,
    checks: Mapping[str, Check],
    tries: int,
    before: Sequence[Rewording] = (),
) -> Table:
    """Ask for a rewording of each text, check it, and ask again where a check fails.

    Args:
        texts: different texts.
        asker: rewords.
        judge: says of a rewording that passes all checks whether the texts entail each other.
        checks: the checks by name.
        tries: how often a text is asked for at most. The next try shows the system its last
            rewording and what the checks said of it.
        before: lines with a person's yes or no, which ends the asking where the
            same rewording comes again.

    Returns:
        The table; its manifest has the counts of each check over all tries.
    """
    lines = {text: Rewording(text) for text in texts}
    names = [*checks, *[ENTAILMENT] * (judge is not None)]
    counts = {name: {"checked": 0, "failed": 0} for name in names}
    said_before = {(line.text, line.rewording): line.person for line in before}
    left = [*texts]
    for number in range(1, tries + 1):
        if not left:
            break
        questions = [question_of(asker, lines[text], number) for text in left]
        failed = set()
        for text, reply in zip(left, asker.replies(questions), strict=True):
            line = _line(text, number, reply, checks)
            lines[text] = line._replace(person=said_before.get((text, line.rewording)))
            if isinstance(reply, str):
                failed.add(text)
        passed = [lines[text] for text in left if lines[text].accepted]
        if judge is not None and passed:
            lines |= {line.text: line for line in _judged(judge, passed)}
        for text in left:
            for name, said in lines[text].checks.items():
                counts[name]["checked"] += 1
                counts[name]["failed"] += bool(said)
        decided = {text for text in left if lines[text].accepted or lines[text].person is not None}
        left = [text for text in left if text not in decided | failed]
    manifest = {
        "perturb": __version__,
        "tries": tries,
        "checks": counts,
        "without_rewording": sum(line.rewording is None for line in lines.values()),
    }
    return Table(manifest, [*lines.values()])


def question_of(asker: Asker, line: Rewording, number: int) -> Question:
    """Return the question of a try, counted from 1; the line has what the checks said before."""
    more: list[dict[str, str]] = []
    if line.rewording is not None:
        told = "; ".join(f"{name}: {said}" for name, said in line.checks.items() if said)
        again = f"That doesn't pass a check ({told}). Write another rewording, and nothing else."
        more = [
            {"role": "assistant", "content": line.rewording},
            {"role": "user", "content": again},
        ]
    fields = {"text": line.text, "try": number} if asker.wrapped else {"text": line.text}
    return asker.question(f"{hash_of(line.text)}:{number}", fields, more, number - 1)


def _line(text: str, number: int, reply: Reply | str, checks: Mapping[str, Check]) -> Rewording:
    """Return the line of a text after a reply."""
    if isinstance(reply, str):
        return Rewording(text, None, number, {}, reply)
    answer = reply.answer
    if reply.refusal is not None or not isinstance(answer, str):
        error = f"refused: {reply.refusal}" if reply.refusal is not None else "no text as an answer"
        return Rewording(text, None, number, {}, error)
    rewording = _alone(answer)
    if not can_be_reworded(rewording):
        return Rewording(text, None, number, {}, "an empty answer")
    said = {name: check(text, rewording) for name, check in checks.items()}
    return Rewording(text, rewording, number, said)


def _alone(answer: str) -> str:
    r"""Return the text in an answer, without what models put around it.

    Examples:
        >>> _alone('Here is the reworded text:\n"How many are left?"')
        'How many are left?'
    """
    return _AROUND.sub(r"\1", _OPENING.sub("", answer.strip()).strip()).strip()


def _judged(judge: Asker, lines: Sequence[Rewording]) -> Iterator[Rewording]:
    """Yield lines with the judge's word: each text has to entail the other."""
    questions = [
        judge.question(f"{hash_of(line.text)}:{line.tries}", {"first": first, "second": second})
        for line in lines
        for first, second in ((line.text, line.rewording), (line.rewording, line.text))
    ]
    replies = judge.replies(questions)
    for line, less, more in zip(lines, replies[::2], replies[1::2], strict=True):
        ways = (("it says more", less), ("it says less", more))
        said = "; ".join(filter(None, (_fault(fault, reply) for fault, reply in ways)))
        yield line._replace(checks={**line.checks, ENTAILMENT: said})


def _fault(fault: str, reply: Reply | str) -> str:
    """Return what a judge's reply to one way says against a rewording; "" for nothing."""
    if isinstance(reply, str):
        return f"not judged: {reply}"
    word = verdict_word(reply.answer)
    return {"right": "", "wrong": fault}.get(word or "", "the judge is unclear")
