"""From a row to its score: a field that holds it, or the prediction against the target."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from perturb.errors import DataError, UsageError, shown
from perturb.io import json_path
from perturb.io.inner_rows import around_hint
from perturb.io.jsonl import dumps
from perturb.robustness.grading.abstention import abstains, is_unknowable
from perturb.robustness.grading.plan import Match, OfCorpus
from perturb.robustness.grading.reasoning import behind_reasoning
from perturb.robustness.grading.ways import REFERENCE, WAYS, match_of, way_of
from perturb.robustness.linking.sources import Row
from perturb.robustness.metrics.checks import checked_score
from perturb.robustness.metrics.corpus import Corpus
from perturb.robustness.metrics.embedding import Embed, cosine_similarities, embedder

# The scores of each row, and its answer: equal answers agree, None is one that was not read.
Graded = tuple[Sequence[float], Any]
_MARKS = {*".[]=^"}  # of a path, which a name in it can't hold
# As JSON and Python write them.
_TRUTHS = {"true": 1.0, "false": 0.0}
Grade = Callable[[Sequence[Row]], Iterable[Graded]]


def without_reasoning(grade: Grade, prediction: str | None) -> Grade:
    """Grade rows by what their replies say behind their reasoning.

    Args:
        grade: what grades such rows.
        prediction: the field of the reply; None where rows hold scores and no reply.
    """
    if prediction is None:
        return grade

    def told(row: Row) -> Row:
        reply = row.get(prediction)
        answer = behind_reasoning(reply)
        return row if answer is reply else {**row, prediction: answer}

    def graded(rows: Sequence[Row]) -> Iterable[Graded]:
        return grade([told(row) for row in rows])

    return graded


def with_abstention(grade: Grade, prediction: str) -> Grade:
    """Grade rows whose answer nobody can know by whether the reply says so, all others as before.

    Args:
        grade: what grades the others.
        prediction: the field of the reply.
    """

    def graded(rows: Sequence[Row]) -> Iterator[Graded]:
        for row, (scores, answer) in zip(rows, grade(rows), strict=True):
            reply = row.get(prediction)
            if reply is None or not is_unknowable(row):
                yield scores, answer
            else:
                said = plain_text(reply)
                yield (float(abstains(said)), *scores[1:]), said

    return graded


def by_fields(scores: Sequence[str], prediction: str | None = None) -> Grade:
    """Grade rows by fields that hold their scores.

    Args:
        scores: the fields, each a boolean or a finite number, or the text of one, as files hold it
            that hold only texts; null in one is NaN, and a row in which all are is lost.
        prediction: the field of the answer, for consistency; without it, equal scores agree.
    """

    def grade(rows: Sequence[Row]) -> Iterator[Graded]:
        columns = [
            [float(v) if type(v := row.get(name)) is bool else _score(row, name) for row in rows]
            for name in scores
        ]
        every = [*zip(*columns, strict=True)]
        answers: Iterable[Any] = map(_as_one, every)
        if prediction is not None:
            answers = [field_of(row, prediction) for row in rows]
        for values, answer in zip(every, answers, strict=True):
            if None not in values:
                yield values, answer
            elif any(each is not None for each in values):  # the others are there
                yield [math.nan if each is None else each for each in values], answer
            else:
                yield [0.0] * len(values), None

    return grade


def _score(row: Row, name: str) -> float | None:
    value = field_of(row, name)
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = float(_TRUTHS.get(value.lower(), value))
        except ValueError:
            raise DataError(
                f"{name} must be true, false or a number; got {shown(value)}: write numbers in its "
                "place, or compare answers with --prediction, --target and --match"
            ) from None
    return checked_score(value, name)


def field_of(row: Row, name: str) -> Any:
    """Return a field of a row.

    Raises:
        DataError: the row has none of this name.
    """
    if name not in row:
        known = f"{', '.join(row) or 'none'}{around_hint(row, name)}"
        raise DataError(f"there is no field {name!r}; the row has {known}")
    return row[name]


def answer_of(row: Row, name: str, option: str) -> Any:
    """Return the field that an option names as `field_of` does, and name the option if it lacks."""
    try:
        return field_of(row, name)
    except DataError as error:
        way = f"say with --{option} ({option}= in Python) which field it is"
        if option == "prediction":
            way += "; perturb run asks a system, and writes its answers there"
        if option == "target":
            way += ", or take the answer to the original with --against original (against=)"
        raise DataError(f"{error}; {way}") from None


def by_match(match: Match, prediction: str, target: str) -> Grade:
    """Return what `compared` does of replies behind their reasoning, without a corpus's measure."""
    return without_reasoning(compared(match, prediction, target)[0], prediction)


def compared(
    match: Match, prediction: str, target: str, embed: Any = None
) -> tuple[Grade, Corpus | None]:
    """Grade rows by comparing the prediction with the target; what can't be read scores 0.

    Args:
        match: how they are compared; `matches` and `choice` say what each way does.
            `embedding` gives the cosine of their embeddings, `embedding:MODEL` by that model. Or a
            function from a reply and a right answer to a score.
        prediction: the field of the answer.
        target: the field of the right answer.
        embed: for `embedding`, as for `RobustnessScorer`.

    Returns:
        What grades rows, and the measure of a corpus if it is one: then the numbers of its table
        are behind the score of each row.

    Raises:
        UsageError: there is no such match, or both are one field.
        ImportError: it needs a library that is not installed.
    """
    from perturb.robustness.grading.choice import by_choice, check_followed
    from perturb.robustness.grading.corpus_matches import CorpusMatch, of_all
    from perturb.robustness.grading.matches import by_function

    check_apart(prediction, target)
    if isinstance(match, str) and match.partition(":")[0] == "embedding":
        return _by_embedding(prediction, target, _embedder(match.partition(":")[2], embed)), None
    if match == "choice":
        return _each(prediction, target, lambda row: by_choice(row, prediction, target)), None
    made: Any
    of = "items"
    if isinstance(match, str):
        made, of = match_of(match), way_of(match).of
    elif isinstance(match, OfCorpus):
        made = of_all(match.function, match.name)
    else:
        made = by_function(match, getattr(match, "__name__", repr(match)))
    compare, corpus = made if isinstance(made, CorpusMatch) else (made, None)
    text = json_text if of == "value" else answer_text
    # Of several right answers any will do, but for a measure of lists or of all replies together.
    is_any = json_path.is_many(target) and of != "value" and corpus is None and match != "set"
    best = min if isinstance(match, str) and not way_of(match).higher_is_better else max

    def graded(row: Row) -> tuple[Any, str | None]:
        if target != REFERENCE:
            check_followed(row, target)
        reply, right = row[prediction], row[target]
        if of == "text":
            reply = _single(reply, prediction)
        if is_any and isinstance(right, list) and not isinstance(reply, list):
            if not right and reply is not None and abstains(answer_text(reply)):
                reply = ""  # as SQuAD 2 writes that the passage has no answer
            every = [
                against(reply, each) for each in dict.fromkeys(map(answer_text, right or [""]))
            ]
            return best(every, key=itemgetter(0))
        return against(reply, _single(right, target, _ANY) if of == "text" else right)

    def against(reply: Any, right: Any) -> tuple[Any, str | None]:
        if type(reply) is not str:
            reply = _as_right(reply, right)
        found: tuple[Any, str | None] = compare(None if reply is None else text(reply), text(right))
        return found

    return _each(prediction, target, graded), corpus


def _embedder(name: str, embed: Any) -> Embed:
    if name and embed is not None:
        raise UsageError(f"embed= and --match embedding:{name} both name a model: leave out one")
    return embedder(name or embed)


def check_apart(prediction: str, target: str) -> None:
    """Refuse an answer that is compared with itself.

    Raises:
        UsageError: both are one field.
    """
    if prediction == target:
        raise UsageError(
            f"the answer and the right answer are both {target!r}, so all would be right: say "
            "with --target (target=) which field is the right answer"
        )


# What else to do about a right answer that is a list.
_ANY = ", or {}[*] if any of them is right"


def _single(value: Any, name: str, more: str = "") -> Any:
    """Return the item of a list of one, as tools write a reply; or a value that is no list.

    Raises:
        DataError: it is another list, or an object that isn't a label with its score.
    """
    if type(value) is str:  # as most are
        return value
    if isinstance(value, list) and len(value) == 1:
        return _single(value[0], _first(name), more)
    if isinstance(value, list) or (isinstance(value, Mapping) and "label" not in value):
        kind = "list" if isinstance(value, list) else "object"
        lists = ", ".join(way.name for way in WAYS if way.of != "text")
        ways = f"; of the ways to compare, {lists} take lists"
        raise DataError(
            f"{name} must hold a text; got {'a' if kind == 'list' else 'an'} {kind}, "
            f"{shown(value)}{_part(value, name)}{(more.format(name) + ways) * (kind == 'list')}"
        )
    return value


def _first(name: str) -> str:
    return f"{name.removesuffix('[*]')}[0]"


def _part(value: Any, name: str) -> str:
    """Say how to name a part of a list or an object, if a path leads to it."""
    if isinstance(value, list):
        path = _first(name) if value else ""
    else:
        path = next((f"{name}.{key}" for key in value if not _MARKS & {*str(key)}), "")
    return f": name its part, such as {path}" if path else ""


def _as_right(reply: Any, right: Any) -> Any:
    """Return a whole number as the right answer has it: in a column with gaps, 1 is 1.0."""
    kinds = {type(reply), type(right)}
    whole = kinds == {int, float} and abs(reply) < 2**53 and reply == int(reply)
    return type(right)(reply) if whole else reply


def answer_text(value: Any) -> str:
    """Return the text of an answer; of a label with a score, the label."""
    if type(value) is str:
        return value
    if isinstance(value, Mapping) and "label" in value:
        value = value["label"]
    return plain_text(value)


def plain_text(value: Any) -> str:
    """Return a value as people read it: objects and lists as JSON."""
    return json_text(value) if isinstance(value, (Mapping, list)) else str(value)


def json_text(value: Any) -> str:
    """Return a value as JSON; a text as it is."""
    return value if isinstance(value, str) else dumps(value).decode()[:-1]


_as_one = lru_cache(maxsize=1 << 13)(json_text)  # scores as an answer: equal ones agree


def _each(prediction: str, target: str, graded: Callable[[Row], tuple[Any, str | None]]) -> Grade:
    def grade(rows: Sequence[Row]) -> Iterator[Graded]:
        for row in rows:
            answer_of(row, prediction, "prediction")
            if answer_of(row, target, "target") is None:
                raise DataError(f"{target} holds no right answer, got None")
            try:
                value, answer = graded(row)
            except DataError:
                raise
            except ValueError as error:
                if target != REFERENCE:
                    raise DataError(f"{target} {error}, got {row[target]!r}") from None
                value, answer = 0.0, None  # nobody agrees with a reply that can't be read
            yield value if isinstance(value, tuple) else (value,), answer

    return grade


def _by_embedding(prediction: str, target: str, embed: Embed) -> Grade:
    is_many = json_path.is_many(target)

    def rights(row: Row) -> list[str]:
        value = row.get(target)
        return [*map(str, value)] if is_many and isinstance(value, list) else [str(value)]

    def grade(rows: Sequence[Row]) -> Iterator[Graded]:
        answered = [row for row in rows if row.get(prediction) is not None]
        pairs = [(str(row[prediction]), right) for row in answered for right in rights(row)]
        cosines = iter(cosine_similarities(embed, *zip(*pairs, strict=True)) if pairs else ())
        for row in rows:
            if field_of(row, target) is None:
                raise DataError(f"{target} holds no text to embed, got None")
            reply = field_of(row, prediction)
            each = [] if reply is None else [float(next(cosines)) for _ in rights(row)]
            yield (max(each, default=0.0),), reply

    return grade
