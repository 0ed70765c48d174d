"""Jobs: what is to be done with every text or row, as every door makes it and only it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product, starmap
from operator import attrgetter
from typing import Any, NamedTuple, Unpack

from perturb.boundary import sha256
from perturb.engine.planned import PlannedStep, planned_step
from perturb.engine.protection import NO_RULES, Rules
from perturb.engine.run import Stage
from perturb.errors import UsageError, shown
from perturb.io import json_path
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Grid, Pipeline, cells_of
from perturb.plan.arguments import Options, spelled_out
from perturb.plan.options import BY_NAME, LINKAGE
from perturb.plan.recipe_text import joined
from perturb.plan.scope import SpanSource, in_order, rule_texts, rules_of, span_sources
from perturb.registry.definition import EXPECTS, MISSING, SPAN_POLICIES, check_word
from perturb.rng import blake2b
from perturb.values.frozen import Frozen
from perturb.values.scalars import checked_whole, plain

# The versions of one row; what all of them share is in memory at once.
MOST_VERSIONS = 10_000
_SEEDS = 1 << 63
# A label stands in every id and table; a longer one is cut, and told apart by a hash.
_LONGEST_LABEL, _KEPT = 48, 39
# Rules that are longer stand in the manifest alone, and by their hash in the records.
_LONGEST_RULES = 400
_READS_FILES = attrgetter("pipeline.reads_files")
# What says how much is done, besides `p`.
_STRENGTH = ("per", "intensity", "severity", "count")


class Condition(NamedTuple):
    """One kind of noise, whose rows are judged together.

    Attributes:
        label: names it in ids, tables and pages.
        pipeline: the steps.
        expect: what becomes of the right answer, where the caller says so; None for what the steps
            declare.
    """

    label: str
    pipeline: Pipeline
    expect: str | None = None


class Job(Frozen, kw_only=True):
    """What is to be done with every text or row.

    Attributes:
        conditions: each gives `replicates` versions of each row; the job of untouched rows, which
            their recipe describes, has none.
        field: the paths to the texts.
        target: the paths to right answers, which follow their texts and get no noise.
        spans: the fields with labels of the texts, which are moved along.
        protect: rules for what no edit may touch; `"field:[TEXT=]PATH"` names a field with spans.
        only: rules for what edits are restricted to, likewise; None for everywhere.
        span_policy: "grow", "drop" or "refuse" a span that an edit touches.
        missing: "error", "keep" or "skip" a row without a text.
        id_field: the field of a row that names it, and no path; a row without it is named by its
            first text and a hash of the row, but some row must have another than "id".
        seed: the seed of the random numbers; any signed integer of 64 bits.
        replicates: the number of versions of each row by each condition.
        first_replicate: the number of the first; above 0 for later epochs.
        with_original: whether the untouched row comes first.
        lean: whether to leave the original texts out of the records.

    Raises:
        UsageError: an invalid value.
        TypeError: a value of a wrong type.
    """

    conditions: tuple[Condition, ...]
    field: tuple[str, ...] = ("text",)
    target: tuple[str, ...] = ()
    spans: tuple[SpanSource, ...] = ()
    protect: tuple[Any, ...] = ()
    only: tuple[Any, ...] | None = None
    span_policy: str = "grow"
    missing: str = "error"
    id_field: str = "id"
    seed: int = 0
    replicates: int = 1
    first_replicate: int = 0
    with_original: bool = False
    lean: bool = False

    def __post_init__(self) -> None:
        mine = vars(self)
        if self.seed is None:
            hint = "for a fresh one take random.getrandbits(32)"
            raise TypeError(f"seed must be a whole number; got None: {hint}")
        mine["seed"] = checked_whole("seed", self.seed)
        if not -_SEEDS <= self.seed < _SEEDS:
            raise UsageError(
                f"seed must be within 64 bits, from {-_SEEDS} to {_SEEDS - 1}, which is what "
                f"tables and databases hold; got {shown(self.seed)}"
            )
        mine["replicates"] = checked_whole("replicates", self.replicates, 1, _SEEDS - 1)
        mine["first_replicate"] = checked_whole("replicate", self.first_replicate, 0, _SEEDS - 1)
        for name in ("with_original", "lean"):
            mine[name] = plain(given := mine[name])
            if type(mine[name]) is not bool:
                raise TypeError(f"{name} must be true or false; got {shown(given)}")
        mine["field"], mine["target"] = _listed("field", self.field), _listed("target", self.target)
        mine["spans"] = tuple(map(SpanSource.of, _listed("spans", self.spans)))
        mine["protect"] = in_order(() if self.protect is None else self.protect)
        mine["only"] = None if self.only is None else in_order(self.only)
        check_word("span_policy", self.span_policy, SPAN_POLICIES)
        check_word("missing", self.missing, MISSING)
        self._check_conditions()
        self._check_paths()
        if self.protect and self.protect_rules.unwritten is not None:
            raise UsageError(
                "json restricts edits to the values of a JSON text, so it belongs in only; "
                "got it in protect"
            )
        if self.only_sources and "json" in (self.only or ()):
            raise UsageError(f"only json and only field:{self.only_sources[0]} exclude each other")
        _ = self.only_rules

    def _check_conditions(self) -> None:
        if len(self.conditions) * self.replicates > MOST_VERSIONS:
            raise UsageError(
                f"a row may have {MOST_VERSIONS:,} versions at most; got "
                f"{len(self.conditions):,} conditions and {shown(self.replicates)} replicates: "
                "make more runs, each with its own seed"
            )
        for condition in self.conditions:
            if condition.expect is not None:
                check_word("expect", condition.expect, EXPECTS)
        labels = [condition.label for condition in self.conditions]
        if len(set(labels)) < len(labels):
            raise UsageError(
                f"two of the conditions have the same label: {', '.join(labels)}; name them, as in "
                "LABEL=STEPS"
            )

    def _check_paths(self) -> None:
        """Refuse paths that can't be read, and fields that would be written over."""
        if not isinstance(self.id_field, str):
            raise TypeError(f"id_field must be a string; got {shown(self.id_field)}")
        if not self.field:
            raise UsageError("field must name at least one text; got none")
        owners = {LINKAGE: "the linkage record"}
        for name, paths in (("field", self.field), ("target", self.target)):
            for path in paths:
                if not isinstance(path, str):
                    raise TypeError(f"{name} must be a path or a list of paths; got {shown(path)}")
                if not path.isidentifier():
                    json_path.parse(path)
                if path in owners:
                    raise UsageError(f"{name} {path!r}: this field holds {owners[path]} already")
                owners[path] = "a text" if name == "field" else "an answer"
        if self.id_field in owners:
            raise UsageError(
                f"the field {self.id_field!r} names the rows, so it can't be "
                f"{owners[self.id_field]} too: perturb another field, or name the rows by another "
                "with --id-field"
            )
        for source in (*self.spans, *self.protect_sources, *self.only_sources):
            json_path.parse(source.path)
            if source.text and source.text not in self.field:
                raise UsageError(
                    f"the spans in {source.path!r} are of {source.text!r}, which is no field to "
                    f"perturb: {', '.join(self.field)}"
                )

    @cached_property
    def protect_sources(self) -> tuple[SpanSource, ...]:
        """The fields with spans that no edit may touch."""
        return span_sources(self.protect) if self.protect else ()

    @cached_property
    def only_sources(self) -> tuple[SpanSource, ...]:
        """The fields with the spans to which edits are restricted."""
        return span_sources(self.only) if self.only else ()

    @cached_property
    def protect_rules(self) -> Rules:
        """What no edit may touch in any text."""
        return rules_of(self.protect) if self.protect else NO_RULES

    @cached_property
    def only_rules(self) -> Rules | None:
        """What edits are restricted to in every text; None for everywhere."""
        return None if self.only is None else rules_of(self.only)

    @cached_property
    def named_rules(self) -> dict[str, str]:
        """The option of each rule that names what a text should hold: words, places for edits."""
        words = (rule for rule in self.protect_rules.written if rule.startswith("word:"))
        places = () if self.only_rules is None else self.only_rules.written
        return dict.fromkeys(words, "protect") | dict.fromkeys(places, "only")

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """The versions of each row, in order."""
        replicates = range(self.first_replicate, self.first_replicate + self.replicates)
        return tuple(starmap(Version, product((self,), self.conditions, replicates)))

    @cached_property
    def reads_files(self) -> bool:
        """True if a step reads a file of the caller's."""
        return any(map(_READS_FILES, self.conditions))

    @property
    def rows(self) -> int:
        """The number of output rows for each input row."""
        return len(self.versions) + self.with_original

    @cached_property
    def text_paths(self) -> list[tuple[str, bool]]:
        """The paths to texts, each with whether it is in their keys.

        The first plain field keeps the key of the row, so adding others moves nothing in it.
        """
        plain = next((path for path in self.field if not json_path.is_many(path)), None)
        return [(path, path != plain) for path in self.field]

    @cached_property
    def reads_more(self) -> bool:
        """True if more is read of rows than their texts: answers, and fields with spans."""
        return any((self.target, self.spans, self.protect_sources, self.only_sources))

    @cached_property
    def has_one_text(self) -> bool:
        """True if a row has one text, not counting right answers."""
        return len(self.field) == 1 and not json_path.is_many(self.field[0])

    @property
    def has_original(self) -> bool:
        """True if records hold the text before."""
        return self.has_one_text and not self.lean

    @property
    def grid(self) -> Grid:
        """The pipelines of all conditions, with their labels."""
        return Grid(
            tuple(condition.pipeline for condition in self.conditions),
            tuple(condition.label for condition in self.conditions),
        )

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults, by their names, as text and numbers."""
        options: dict[str, Any] = {}
        for name in self._fields[1:]:
            value = vars(self)[name]
            if value != getattr(Job, name):
                options[name] = value
        for name in ("protect", "only"):
            if name in options:
                options[name] = rule_texts(options[name])
        if "spans" in options:
            options["spans"] = list(map(str, self.spans))
        several = len(self.conditions) > 1
        expected = [
            f"{grammar.quoted_label(condition.label)}={condition.expect}"
            if several
            else condition.expect
            for condition in self.conditions
            if condition.expect is not None
        ]
        return {**options, "expect": expected} if expected else options

    @property
    def long_rules(self) -> list[str]:
        """The options with rules too long for every record, which a manifest has to hold."""
        options = self.options
        rules = {name: options.get(name, ()) for name in ("protect", "only")}
        return [name for name, texts in rules.items() if sum(map(len, texts)) > _LONGEST_RULES]


class Version(Frozen):
    """One version of every text of a job: a condition, and the number of the replicate."""

    job: Job
    condition: Condition
    replicate: int

    @cached_property
    def stages(self) -> list[Stage]:
        """The steps as the engine sees them."""
        return self.condition.pipeline.stages(self.job.seed, self.replicate)

    @cached_property
    def planned(self) -> PlannedStep | None:
        """The step that is all there is to do to a text, where one kernel does it."""
        job = self.job
        if job.protect or job.only is not None:
            return None
        return planned_step(self.stages)

    @cached_property
    def suffix(self) -> str:
        """The end that makes an original's id that of this version of it."""
        return f"#{self.condition.label}" + (f"#{self.replicate}" if self.replicate else "")

    @cached_property
    def recipe(self) -> str:
        """What makes this version of a row again, as text."""
        options = {
            name: value
            for name, value in self.job.options.items()
            if name in BY_NAME and BY_NAME[name].of_row
        }
        for name in self.job.long_rules:
            rules = "\0".join(options[name]).encode("utf-8", "surrogatepass")
            options[name] = [f"sha256:{sha256(rules)[:16]}"]
        if self.condition.expect is not None:
            options["expect"] = [self.condition.expect]
        if self.replicate:
            options["replicate"] = self.replicate
        return joined(self.condition.pipeline.pinned, options)

    @cached_property
    def expectations(self) -> tuple[str, ...]:
        """What becomes of the right answer by each step, where it acts."""
        alone = self.job.has_one_text and not self.job.target
        kinds = [step.perturbator for step in self.condition.pipeline.steps]
        return tuple(kind.expect_alone if alone else kind.expect for kind in kinds)


@spelled_out
def job_of(
    steps: Any, p: Any = None, *, first_replicate: int = 0, **options: Unpack[Options]
) -> Job:
    """Make a job of what a door was given; see `perturb.augment`.

    Raises:
        UsageError: an unknown name or parameter, or an invalid value.
        TypeError: a value of a wrong type.
    """
    settings: dict[str, Any] = {**options}
    strength = {} if p is None else {"p": p}
    for name in _STRENGTH:
        if (value := settings.pop(name, None)) is not None:
            strength[name] = value
    conditions = conditions_of(steps, strength, settings.pop("expect", None))
    return Job(conditions=conditions, first_replicate=first_replicate, **settings)


def _listed(name: str, paths: Any) -> tuple[str, ...]:
    if paths is None:
        return ()
    if not isinstance(paths, str) and not isinstance(paths, Sequence):
        raise TypeError(f"{name} must be a path or a list of paths; got {shown(paths)}")
    return (paths,) if isinstance(paths, str) else tuple(paths)


def conditions_of(
    steps: Any, strength: Mapping[str, Any], expect: Any = None
) -> tuple[Condition, ...]:
    """Return the conditions that a caller's steps, or grid, stand for; see `job_of`."""
    cells = cells_of(steps, strength)
    return expected([(shortened(label), pipeline) for pipeline, label in cells], expect)


def expected(cells: Sequence[tuple[str, Pipeline]], expect: Any) -> tuple[Condition, ...]:
    """Return conditions, with what the caller says becomes of the right answer under each.

    Args:
        cells: their labels and steps.
        expect: a word for all, `LABEL=WORD`, a list of these, or a mapping from labels to words.

    Raises:
        UsageError: a word is none, a label is that of no condition, or two words are for one.
    """
    said: list[tuple[str, Any]] = []
    if isinstance(expect, Mapping):
        said = [*expect.items()]
    elif expect is not None:
        for text in expect if isinstance(expect, list | tuple) else [expect]:
            label, _, word = text.rpartition("=") if isinstance(text, str) else ("", "", text)
            said.append((grammar.unquoted(label), word))
    words = {shortened(label): word for label, word in said}
    if len(words) < len(said):
        raise UsageError(f"expect is given twice for one condition: {shown(expect)}")
    labels = [label for label, _ in cells]
    for label in words:
        if label not in (*labels, ""):
            raise UsageError(
                f"expect names the condition {label!r}, and there are {', '.join(labels)}"
            )
    return tuple(
        Condition(label, pipeline, words.get(label, words.get(""))) for label, pipeline in cells
    )


def shortened(label: str) -> str:
    """Return a label of at most 48 characters, a longer one cut and told apart by a hash."""
    label = " ".join(label.split())
    if len(label) <= _LONGEST_LABEL:
        return label
    digest = blake2b(label.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{label[:_KEPT].rstrip(' ,:')}~{digest}"
