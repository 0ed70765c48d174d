"""Grade replies by asking a judge, another system, whether they give the right answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import regex

from perturb.errors import DataError, UsageError
from perturb.evaluation.journal import Journal
from perturb.evaluation.prompts import Prompt, load_prompt
from perturb.evaluation.questions import Question, Row, without_records
from perturb.robustness.grading.grade import Grade, Graded, check_apart, field_of
from perturb.robustness.grading.reasoning import behind_reasoning
from perturb.robustness.linking.sources import RowSource

# The setting of a journal that holds the prompt of its judge.
PROMPT = "judge_prompt"
_RIGHT = ("right", "correct", "yes", "true")
_WRONG = ("wrong", "incorrect", "no", "false")
_WORD = rf"(?P<not>not\s+|in(?=correct))?(?P<word>{'|'.join((*_RIGHT, *_WRONG))})(?![^\W_]|[-/]\w)"
_END = r"(?=[\"'*_]*\s*(?:[,.;!}]|$))"
# An announced verdict: a line, a field of JSON or the answer to a question.
_ANNOUNCED = regex.compile(
    r"(?i)(?<![^\W_])(?:(?:verdict|grade|judge?ment)(?:\W|_|\bis\b)*+(?<=[\W_])"
    rf"|(?:is_)?(?:correct|right)[\"'*_]*\s*[:=?][\W_]*){_WORD}"
    rf"(?:(?<!yes|no|true|false)|{_END})"
)
# A line with nothing but a verdict.
_SAID = regex.compile(
    r"(?i)\W*(?:(?:so|therefore|thus|hence)\W+)?"
    r"(?:(?P<first>yes|no)\W+)?"
    r"(?:(?:(?:(?:the|this|that|its?)\s+)?(?:final\s+|given\s+)?(?:answer|response|reply|it|this|that)"
    rf"\s*(?:is|was|['’]s|:)\s+)?{_WORD})?\W*"
)
# The continuation of a word to a choice between two.
_CHOICE = regex.compile(rf"(?i)\W*(?:or|and)\b\W*(?:verdict\W*)?{_WORD}")


@dataclass(frozen=True)
class Judge:
    """The questions to a judge about rows, and the meaning of its answers.

    Equal replies with the same right answer are one question.

    Attributes:
        prompt: the prompt, with `{reference}` for the right answer and `{response}` for the reply.
        prediction: the field of the reply.
        target: the field of the right answer.
        wrapped: whether the messages are in an object, as programs take them.
    """

    prompt: Prompt
    prediction: str
    target: str
    wrapped: bool = False

    def __post_init__(self) -> None:
        check_apart(self.prediction, self.target)

    def questions(self, sources: Sequence[RowSource]) -> Iterator[Question]:
        """Yield each different question about the rows, by its digest.

        Raises:
            DataError: a row lacks a field; the message names both.
        """
        seen: set[str] = set()
        for source in sources:
            for number, row in source.rows:
                with source.naming(number):
                    question = self._question(row)
                if question is not None and question.key not in seen:
                    seen.add(question.key)
                    yield question

    def _question(self, row: Row) -> Question | None:
        """Return the question about a row; None if there is no reply to judge."""
        response = behind_reasoning(field_of(row, self.prediction))
        reference = field_of(row, self.target)
        if reference is None:
            raise DataError(f"{self.target!r} must be the right answer; got None")
        if response is None:
            return None
        fields = {**without_records(row), "reference": str(reference), "response": str(response)}
        messages = self.prompt.messages(fields)
        question = Question("", {"messages": messages} if self.wrapped else messages)
        return question._replace(key=question.digest())

    def grade(self, answers: Mapping[str, Any]) -> Grade:
        """Return the grade that follows from the answers of the judge.

        Args:
            answers: the answers by the keys of the questions. Without a verdict, the reply counts
                as unread, not as wrong.
        """

        def grade(rows: Sequence[Row]) -> Iterator[Graded]:
            for row in rows:
                question = self._question(row)
                if question is None:
                    yield (0.0,), None
                    continue
                if question.key not in answers:
                    raise DataError("this reply isn't judged: run perturb score --match judge")
                word = verdict_word(answers[question.key])
                yield (float(word == "right"),), word

        return grade


def judge_prompt(path: Path | None) -> Prompt:
    """Return the prompt in a file, or without one the prompt that comes with perturb.

    Raises:
        UsageError: the file can't be read, or lacks `{reference}` or `{response}`.
    """
    path = path or Path(str(files("perturb.evaluation") / "prompt_sets" / "judge.yaml"))
    prompt = load_prompt(path)
    templates = prompt.user + (prompt.system or "")
    for name in ("{reference}", "{response}"):
        if name not in templates:
            raise UsageError(f"{path}: the prompt of a judge must contain {name}")
    return prompt


def journal_path(scored: Path | str) -> Path:
    """Return the path of the journal of the judge of a file of rows."""
    return Path(f"{scored}.judge.journal")


def judged_before(paths: Iterable[Path], prediction: str, target: str) -> Grade:
    """Return the grade that follows from existing journals.

    Raises:
        UsageError: a path has no journal, or the journals belong to different judges.
    """
    journals = []
    for path in paths:
        if not path.exists():
            raise UsageError(
                f"there is no {path}: first ask a judge by perturb score --match judge with "
                "--endpoint or --command; other commands read its answers there"
            )
        journals.append(Journal(path, None))
    first = journals[0].settings
    if any(journal.settings != first for journal in journals):
        raise UsageError(f"{journals[0].path} and another journal have different judges or prompts")
    if PROMPT not in first:
        raise UsageError(
            f"{journals[0].path} has no answer of a judge: ask one by perturb score --match judge "
            "with --endpoint or --command"
        )
    judge = Judge(Prompt(**first[PROMPT]), prediction, target, wrapped="command" in first)
    replies = chain.from_iterable(journal.replies().items() for journal in journals)
    return judge.grade({key: reply.answer for key, reply in replies})


def judge_note(paths: Sequence[Path]) -> str:
    """Return a sentence that names the judge and its files."""
    settings = Journal(paths[0], None).settings
    name = settings.get("model") or settings.get("command")
    places = " and ".join(map(str, paths))
    return f"{name} judged the replies; its prompt and its words are in {places}."


def verdict_word(answer: Any) -> str | None:
    r"""Return "right" or "wrong" from a judge's answer; None if it is unclear.

    The last line that announces a verdict counts, else the last line, if it has nothing but a
    verdict. A line with both words is unclear. Correct, yes and true mean right; incorrect, no and
    false mean wrong; "not" reverses a word.

    Examples:
        >>> verdict_word("Both say 4.\n**Verdict: Right**"), verdict_word("The answer is correct.")
        ('right', 'right')
        >>> verdict_word("Not correct."), verdict_word('{"verdict": "wrong"}')
        ('wrong', 'wrong')
        >>> verdict_word("Hard to say."), verdict_word("Verdict: right or wrong")
        (None, None)
    """
    told = behind_reasoning(answer)
    said = "" if told is None else str(told)
    lines = [line for line in said.splitlines() if regex.search(r"\w", line)]
    for line in reversed(lines):
        announced = list(_ANNOUNCED.finditer(line))
        if announced:
            words = {_word(match) for match in announced}
            is_choice = _CHOICE.match(line, announced[-1].end("word"))
            return None if is_choice or len(words) > 1 else words.pop()
    match = _SAID.fullmatch(lines[-1]) if lines else None
    if match is None:
        return None
    words = {_word(match)} if match["word"] else set()
    if match["first"]:
        words.add("right" if match["first"].lower() == "yes" else "wrong")
    return words.pop() if len(words) == 1 else None


def _word(match: regex.Match[str]) -> str:
    return "right" if (match["word"].lower() in _RIGHT) != bool(match["not"]) else "wrong"
