"""The plan of judging: the fields that are graded, the way, and the differences that count.

Every door makes one `Grading` of its arguments, and hands on nothing else. The command line
builds its options from `TERMS`, manifests and journals keep its text form, and a command line that
judges in the same way is written from it. To add a term, add a row to the table and a field to
`Grading`; if Python takes it too, add its type to one of the lists of keyword arguments. This
module imports nothing heavy.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, TypedDict

from perturb.errors import UsageError, shown
from perturb.plan.options import flag, repeated, rows_of
from perturb.robustness.grading.ways import DEFAULT, WAYS, way_of
from perturb.values import signatures
from perturb.values.signatures import Door

Compare = Callable[[str, str], float]


class OfCorpus(NamedTuple):
    """A measure of all replies together, for `match=` of functions that judge rows.

    Attributes:
        function: returns it, from the list of replies and that of right answers, as texts.

    Examples:
        >>> def accuracy(replies, answers):
        ...     return sum(map(str.__eq__, replies, answers)) / len(replies)
        >>> OfCorpus(accuracy).name
        'accuracy'
    """

    function: Callable[[list[str], list[str]], float]

    @property
    def name(self) -> str:
        """The name of the function."""
        return getattr(self.function, "__name__", type(self.function).__name__)


Match = str | Compare | OfCorpus
Settings = Mapping[str, Mapping[str, Any]]

# Two points are fewer than most people act on, and 150 originals can prove them; half as much takes
# twice as many.
MARGIN = 0.02
# The smallest reaction that counts. Steps don't change every answer that they are meant to change,
# so it is low; one answer in ten is beyond a system that doesn't read.
AT_LEAST = 0.1
# Beyond MARGIN: a smaller loss could end a tolerance where the verdict is robust.
LOSE = 0.05
# What lost replies count as: as either, so that verdicts hold whatever they were; as nothing; as
# wrong.
BOUNDS, OUT, WRONG = UNANSWERED = "bounds", "out", "wrong"
ORIGINAL = "original"
PREDICTION, TARGET = "prediction", "answer"
# Of the equals signs of a path, those in brackets are its own.
_PAIR = re.compile(r"((?:\[[^]]*\]|[^=\[])*)=(.*)", re.DOTALL)
# How the text of a plan begins where it has a function that no text can name.
_NAMELESS = "a function without a name: "


_WAYS = [f"{way.name}{' (default)' * (way.name == DEFAULT)}" for way in WAYS]
# The terms as options of the command line, in the form of a command's manual.
_MANUAL = f"""\
--rows PATH  the path to the rows in a line or a file, such as doc or samples[*]; a field of the
    object around a row is then ^.exact_match
--where* FIELD=VALUE  only rows in which a field has this value; may be repeated
--records FILE  the perturbed rows, if SCORED has their ids alone, as logs of other programs have
--id-field FIELD  the field with the id of a scored row, or a path to one (default: id)
--prediction FIELD  the field with the system's answer (default: {PREDICTION})
--target FIELD  the field with the right answer (default: {TARGET}); of several, as answer[*], any,
    and of none an abstention
--match WAY  how to compare the two: {", ".join(_WAYS)}
--score FIELD  a field with a score for the answer; higher is better
--against {{{ORIGINAL}}}  compare with the answer to the original in place of the right answer
--metrics FILE  YAML or JSON with each metric (a field of the rows), its threshold and, if they
    differ from the default, higher_is_better: false, rule: pass_fail (a value at the threshold is
    good, in place of on neither side) and range: [0, 100], which overrules --range
--human FIELD  the field with a person's grades of some replies, right or wrong, in SCORED or in
    SCORED.human.jsonl, which correct the other grades; see --draw of perturb score
--margin M  how large a difference still counts as robust (default: {MARGIN})
--cluster* FIELD  a field that related originals share, such as their passage; may be repeated
--range LOW,HIGH  the lowest and the highest possible score, if they aren't 0 and 1
--unanswered {{{",".join(UNANSWERED)}}}  how to count lost replies: either way, so that the verdict
    holds whatever they were (default); not at all; or as wrong
--at-least R  if the answers should change, the smallest reaction that counts: the share that
    changes, minus the share under a condition that keeps the answer (default: {AT_LEAST})
--lose X  the loss, in the unit of the score (default: {LOSE})
--slice* FIELD  break the difference down by the values of a field; may be repeated"""
TERMS = rows_of(_MANUAL)
# The answers that are compared; the rows and what grades them; and what decides a verdict.
ANSWERS = ("prediction", "target", "match")
GRADED = ("rows", "where", "records", "id_field", *ANSWERS, "score", "against", "metrics")
JUDGED = ("cluster", "range", "unanswered")
VERDICT = ("human", "margin", "at_least", *JUDGED)
# The rules by which asking stops, and which its verdict takes over.
STOPPING = ("margin", "at_least", *JUDGED)
# What can't stand together: a term, and those that it makes idle.
_ALONE = {
    "metrics": ("score target match human against",
                "--metrics names the scores; leave out --{other}, or --metrics"),
    "score": ("target match against",
              "--score reads scores, so there is nothing to compare; leave out --target, --match "
              "and --against, or --score"),
    "against": ("target",
                "--against original needs no right answer; leave out --target, or it"),
    "human": ("metrics against",
              "--human grades replies; leave out --metrics and --against"),
}  # fmt: skip


class Graded(TypedDict, total=False):
    """The keyword arguments of functions that grade rows one by one, as `score` explains them."""

    target: str
    prediction: str
    match: Match
    score: str | None


class Scored(Graded, total=False):
    """Those of all functions that judge rows."""

    metrics: Settings | None
    cluster: str | Sequence[str]
    range: tuple[float, float] | None
    unanswered: str


class Answered(Scored, total=False):
    """Those of functions that judge all rows at once."""

    against: str | None
    embed: Any


class Judging(Answered, total=False):
    """Those of functions that give verdicts."""

    margin: float
    human: str | None


def is_of_corpus(match: Match) -> bool:
    """Return whether a way to compare is a measure of all replies together."""
    return isinstance(match, OfCorpus) or (isinstance(match, str) and way_of(match).corpus)


def spelled_out(kinds: type) -> Callable[[Door], Door]:
    """Give a function that takes `**how` the signature that names each of these."""
    shown = {"target": TARGET, "prediction": PREDICTION, "match": DEFAULT}  # where they are None
    defaults = {**vars(Grading), **shown}
    return lambda door: signatures.spelled_out(door, kinds.__annotations__, defaults)


def manual(*names: str) -> str:
    """Return the rows of a command's manual for some of its terms."""
    return "\n".join(TERMS[name] for name in names)


@dataclass(frozen=True)
class Grading:
    """How rows are judged; `TERMS` says what each field is.

    A field that is None was not given. Lists may be given as one text, `where` and `range` as they
    are written on a command line; `match` may be a function from a reply and a right answer to a
    score. `metrics_file` is where `metrics` come from, and `embed` what embeds texts.

    Raises:
        UsageError: fields contradict each other, or one is none that can be.
    """

    rows: str | None = None
    where: tuple[tuple[str, str], ...] = ()
    records: str | None = None
    id_field: str | None = None
    prediction: str | None = None
    target: str | None = None
    match: Match | None = None
    score: str | None = None
    against: str | None = None
    metrics: Settings | None = None
    metrics_file: str | None = None
    embed: Any = None
    human: str | None = None
    margin: float = MARGIN
    cluster: tuple[str, ...] = ()
    range: tuple[float, float] | None = None
    unanswered: str = BOUNDS
    at_least: float = AT_LEAST
    lose: float | None = None
    slice: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("where", "cluster", "slice"):
            values = getattr(self, name)
            object.__setattr__(self, name, (values,) if isinstance(values, str) else (*values,))
        object.__setattr__(self, "where", tuple(map(_pair, self.where)))
        object.__setattr__(self, "range", ends(self.range))
        for name, (others, message) in _ALONE.items():
            for other in others.split():
                if getattr(self, name) is not None and getattr(self, other) is not None:
                    raise UsageError(message.format(other=other))
        if self.against not in (None, ORIGINAL):
            raise UsageError(
                f"against is {ORIGINAL!r}, or None for a right answer; got {shown(self.against)}"
            )
        if self.unanswered not in UNANSWERED:
            raise UsageError(
                f"unanswered is {' or '.join(UNANSWERED)}; got {shown(self.unanswered)}"
            )
        for name in ("match", "embed"):
            if str(getattr(self, name)).startswith(_NAMELESS):
                raise UsageError(
                    f"the answers were compared by {getattr(self, name)}, which no text can name: "
                    f"judge them in Python, with {name}= and that function"
                )
        if isinstance(self.match, str):
            way_of(self.match)
        if self.human is not None and is_of_corpus(self.way):
            raise UsageError(
                "--human grades replies one by one, and --match is a measure of all together: "
                "leave out one"
            )

    @classmethod
    def of(cls, **given: Any) -> Grading:
        """Return the plan of keyword arguments, which `__post_init__` brings to their types."""
        return cls(**given)

    @property
    def reads_scores(self) -> bool:
        """Whether the rows hold scores, so that no answer is compared."""
        return self.score is not None or self.metrics is not None

    @property
    def way(self) -> Match:
        """How answers are compared."""
        return DEFAULT if self.match is None else self.match

    @property
    def reply(self) -> str | None:
        """The field of what the system said; None where rows hold scores and perhaps no reply."""
        return self.prediction if self.reads_scores else self.prediction or PREDICTION

    @property
    def right(self) -> str | None:
        """The field of the right answer; None where it isn't needed."""
        if self.reads_scores or self.against is not None:
            return None
        return self.target or TARGET

    @property
    def loss(self) -> float:
        """The loss whose strength is looked for."""
        return LOSE if self.lose is None else self.lose

    @property
    def given(self) -> list[str]:
        """The fields of what the system said and of its scores, or the paths to them."""
        return [name for name in (self.reply, self.score, *(self.metrics or ())) if name]

    @property
    def paths(self) -> tuple[str | None, ...]:
        """The fields that are graded, or the paths to them."""
        return self.right, *self.given

    def to_dict(self) -> dict[str, Any]:
        """Return the text form: plain values by name, of all terms that hold.

        Terms of the answers are in it only where answers are compared.
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values |= {"prediction": self.reply, "target": self.right}
        if not self.reads_scores:
            values["match"] = self.way
        return {
            name: _plain(name, value)
            for name, value in values.items()
            if value not in (None, ()) and name != "metrics_file"
        }

    def answers(self) -> dict[str, Any]:
        """Return the part of the text form that says how answers are graded."""
        return {name: one for name, one in self.to_dict().items() if name in (*ANSWERS, "against")}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Grading:
        """Return the plan of a text form; other names are passed over.

        Raises:
            UsageError: it has a function that no text can name, or is no plan.
        """
        return cls.of(**{name: values[name] for name in (*TERMS, "embed") if name in values})

    def words(self, *names: str) -> list[str]:
        """Return terms as words of a command line, without those that have their defaults."""
        words: list[str] = []
        for name in names:
            value = self.metrics_file if name == "metrics" else getattr(self, name)
            if value not in (None, ()) and value != getattr(Grading, name):
                option, plain = flag(name), _plain(name, value)
                for text in map(str, plain if isinstance(plain, list) else [plain]):
                    # A value such as -1,1 would pass for an option.
                    words += [f"{option}={text}"] if text.startswith("-") else [option, text]
        return words

    def unlike(self, asked: Grading) -> list[str]:
        """Return a sentence about the terms by which asking stopped, where they aren't these."""
        then, now = list[str](), list[str]()
        before, after = asked.to_dict(), self.to_dict()
        compared = () if self.reads_scores else (*ANSWERS, "against")
        for name in (*STOPPING, "lose", *compared):
            pair = before.get(name), after.get(name)
            if pair[0] == pair[1] or (name == "lose" and None in pair):
                continue
            for value, words in zip(pair, (then, now), strict=True):
                said = [f"no {flag(name)}"] if value is None else repeated(flag(name), value)
                words.append(" ".join(said))
        told = f"Asking stopped by {', '.join(then)}; these verdicts go by {', '.join(now)}."
        return [told] if then else []


def completed(given: Mapping[str, Any], asked: Grading | None, *more: str) -> Grading:
    """Return the plan of the terms that are given; the rules that aren't are as asking stopped by.

    Args:
        given: terms by name.
        asked: the plan by which asking stopped; None if that isn't known.
        more: further terms to take over.
    """
    if asked is None:
        return Grading.of(**given)
    kept = [*STOPPING, *more]
    if not {"score", "metrics", "against"} & given.keys():
        kept += [*ANSWERS, *(["against"] if "target" not in given else [])]
    return Grading.of(**{**{name: getattr(asked, name) for name in kept}, **given})


def _plain(name: str, value: Any) -> Any:
    """Return the value of a term as text, a number, or a list or an object of these."""
    of_corpus = isinstance(value, OfCorpus)
    if of_corpus or callable(value):
        function = value.function if of_corpus else value
        name = getattr(function, "__name__", type(function).__name__)
        place = place_of(function) or _NAMELESS + name
        return place.replace("python:", "corpus:", 1) if of_corpus else place
    if name == "range":
        return ",".join(f"{end:.15g}" for end in value)
    if name == "where":
        return ["=".join(pair) for pair in value]
    return [*value] if isinstance(value, tuple) else value


def place_of(function: Any) -> str | None:
    """Return what `--match` and `--command` take for a function in a file; None for any other."""
    name = getattr(function, "__name__", "")
    module = sys.modules.get(getattr(function, "__module__", ""))
    file = getattr(module, "__file__", None)
    if file is None or getattr(module, name, None) is not function:
        return None
    return f"python:{file}:{name}"


def _pair(text: str | tuple[str, str]) -> tuple[str, str]:
    """Read a field and its value."""
    if not isinstance(text, str):
        return text
    pair = _PAIR.fullmatch(text)
    if pair is None:
        raise UsageError(f"--where takes FIELD=VALUE; got {text!r}")
    return pair[1], pair[2]


def ends(given: Any) -> tuple[float, float] | None:
    """Read the lowest and the highest score; None for none.

    Raises:
        UsageError: they aren't two numbers, the lowest first.
    """
    if given is None:
        return None
    try:
        low, high = map(float, given.split(",") if isinstance(given, str) else given)
    except (TypeError, ValueError):
        raise UsageError(f"--range takes two numbers, as in 0,100; got {given!r}") from None
    if not low < high:
        raise UsageError(f"a range is LOW,HIGH, the least score and the largest; got {given!r}")
    return low, high
