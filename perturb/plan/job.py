"""Jobs: the plan for every text or row. Every entry point makes one, and nothing else runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product, starmap
from operator import attrgetter
from typing import Any, Unpack

from perturb.boundary import sha256
from perturb.engine.planned import PlannedStep, planned_step
from perturb.engine.protection import NO_RULES, Rules
from perturb.engine.run import Stage
from perturb.errors import UsageError, shown
from perturb.io import json_path
from perturb.io.inner_rows import InnerRows
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Grid
from perturb.pipeline.step import Step
from perturb.plan.arguments import Options, spelled_out
from perturb.plan.options import of_row
from perturb.plan.parts import (
    Condition,
    SpanSource,
    check_conditions,
    check_owners,
    conditions_of,
    in_order,
    moves_whole_items,
    rule_texts,
    rules_of,
    span_sources,
    suffix_of,
)
from perturb.plan.recipe_text import cut, joined
from perturb.registry.definition import CHOICES, FieldPath
from perturb.values.fields import Frozen, check_word, checked_whole, plain

_SEEDS = 1 << 63
# Every record repeats its recipe, and takes about 500 bytes without it. Longer rules would be most
# of a file, so records have their hash, and only the manifest has the rules.
_LONGEST_RULES = 400
_STRENGTH = ("p", "per", "intensity", "severity", "count")  # as parameters of a call
_READS_FILES = attrgetter("pipeline.reads_files")


class Job(Frozen, kw_only=True):
    """The plan for every text or row.

    Attributes:
        conditions: each gives `replicates` versions of each row; none for untouched rows.
        field: the paths to the texts.
        target: the paths to right answers, which follow their texts and get no noise.
        choices: the paths to answer options, `[FIRST=]PATH`, which only steps on options and
            consistent steps change; with them, `field` may be empty.
        fixed: right answers that are no option and stay, as text or as JSON.
        spans: the fields with labels of the texts, which move along.
        protect: rules for places that no edit may touch; `"field:[TEXT=]PATH"` names their spans.
        only: rules for the places that edits are restricted to, likewise; None for everywhere.
        span_policy: "grow", "drop" or "refuse" a span that an edit touches.
        copies: "warn" of copies of texts, "ignore" them, or let them "follow" the edits.
        offsets: the unit of offsets in fields with spans: "characters", "utf16" or "bytes".
        missing: "error", "keep" or "skip" a row without a text.
        id_field: the field of a row that names it, or a path to one. Its first text and a hash of
            the row name one without it, but a field other than "id" must be in some row.
        rows: the path to the rows in a file or a line, if these hold several; see `InnerRows`.
        nested: whether the file comes back in its own form, with the rows changed in place.
        seed: the seed of the random numbers; any signed integer of 64 bits.
        replicates: the number of versions of each row under each condition.
        first_replicate: the number of the first replicate; above 0 for later epochs.
        with_original: whether the untouched row comes first.
        lean: whether to leave the original texts out of the records.

    Raises:
        UsageError: an invalid value.
        TypeError: a value of a wrong type.
    """

    conditions: tuple[Condition, ...]
    field: tuple[str, ...] = ("text",)
    target: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    spans: tuple[SpanSource, ...] = ()
    protect: tuple[Any, ...] = ()
    only: tuple[Any, ...] | None = None
    span_policy: str = "grow"
    copies: str = "warn"
    offsets: str = "characters"
    missing: str = "error"
    id_field: str = "id"
    rows: str | None = None
    nested: bool = False
    seed: int = 0
    replicates: int = 1
    first_replicate: int = 0
    with_original: bool = False
    lean: bool = False

    def __post_init__(self) -> None:
        mine = vars(self)
        if self.seed is None:
            hint = "for a fresh seed use random.getrandbits(32)"
            raise TypeError(f"seed must be a whole number; {hint}; got None")
        mine["seed"] = checked_whole("seed", self.seed)
        if not -_SEEDS <= self.seed < _SEEDS:
            raise UsageError(
                f"seed must be within the 64 bits that tables and databases hold, from {-_SEEDS} "
                f"to {_SEEDS - 1}; got {shown(self.seed)}"
            )
        mine["replicates"] = checked_whole("replicates", self.replicates, 1, _SEEDS - 1)
        mine["first_replicate"] = checked_whole("replicate", self.first_replicate, 0, _SEEDS - 1)
        for name in ("nested", "with_original", "lean"):
            mine[name] = plain(given := mine[name])
            if type(mine[name]) is not bool:
                raise TypeError(f"{name} must be true or false; got {shown(given)}")
        for name, words in CHOICES.items():
            check_word(name, mine[name], words)
        if self.choices and self.field is Job.field:
            mine["field"] = ()
        for name in ("field", "target", "choices", "fixed"):
            if type(mine[name]) is not tuple:
                mine[name] = _listed(name, mine[name])
        check_conditions(self.conditions, self.field, self.replicates, self.copies)
        mine["spans"] = tuple(map(SpanSource.of, _listed("spans", self.spans)))
        if type(self.protect) is not tuple or self.protect:
            mine["protect"] = () if self.protect is None else in_order(self.protect)
        mine["only"] = None if self.only is None else in_order(self.only)
        self._check_paths()
        if self.protect and self.protect_rules.unwritten is not None:
            rule = self.protect_rules.written[0]
            raise UsageError(f"{rule} restricts edits, so give it to only; got it in protect")
        only = self.only_rules
        if self.only_sources and only is not None and only.unwritten is not None:
            raise UsageError(
                f"give one of only {only.written[0]} and only field:{self.only_sources[0]}"
            )

    def _check_paths(self) -> None:
        """Refuse invalid paths, fields with two meanings, and spans of no text."""
        if type(self.id_field) is not str or not self.id_field.isidentifier():
            json_path.check_one(self.id_field, "id_field")
        if not self.field and not self.choices:
            raise UsageError("field must name at least one text; got none")
        if self.rows is not None:
            if not isinstance(self.rows, str):
                raise TypeError(f"rows must be a path; got {shown(self.rows)}")
            json_path.parse(self.rows)
        check_owners(self.id_field, self.field, self.choice_paths, self.target)
        for source in (*self.spans, *self.protect_sources, *self.only_sources):
            json_path.parse(source.path)
            cited = source.is_within(self.choice_paths, self.field)
            if source.text and source.text not in self.field and not cited:
                raise UsageError(
                    f"the spans in {source.path!r} are for {source.text!r}, but the fields to "
                    f"perturb are {', '.join(self.field)}"
                )

    @cached_property
    def choice_paths(self) -> tuple[str, ...]:
        """The paths to options, without the label of the first."""
        return tuple(cut(choice)[1] for choice in self.choices)

    @cached_property
    def protect_sources(self) -> tuple[SpanSource, ...]:
        """The fields whose spans no edit may touch."""
        return span_sources(self.protect) if self.protect else ()

    @cached_property
    def only_sources(self) -> tuple[SpanSource, ...]:
        """The fields whose spans edits are restricted to."""
        return span_sources(self.only) if self.only else ()

    @cached_property
    def protect_rules(self) -> Rules:
        """The rules for places that no edit may touch in any text."""
        return rules_of(self.protect) if self.protect else NO_RULES

    @cached_property
    def only_rules(self) -> Rules | None:
        """The rules for the places that edits are restricted to; None for everywhere."""
        return None if self.only is None else rules_of(self.only)

    @cached_property
    def named_rules(self) -> dict[str, str]:
        """The option of each rule, which some text should match."""
        rules = {"protect": self.protect_rules, "only": self.only_rules or NO_RULES}
        return {rule: option for option, some in rules.items() for rule in some.written}

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """The versions of each row, in order."""
        replicates = range(self.first_replicate, self.first_replicate + self.replicates)
        return tuple(starmap(Version, product((self,), self.conditions, replicates)))

    @cached_property
    def reads_files(self) -> bool:
        """True if a step reads a file of the caller's."""
        return any(map(_READS_FILES, self.conditions))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all conditions, in order."""
        return tuple(step for each in self.conditions for step in each.pipeline.steps)

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """The paths to what steps read of a row beside its texts, such as a schema."""
        values = [value for step in self.steps for value in step.parameters.values()]
        return tuple(dict.fromkeys(value for value in values if isinstance(value, FieldPath)))

    @property
    def rows_each(self) -> int:
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
    def by_field(self) -> bool:
        """True if a step takes the texts of one field of several."""
        return len(self.field) > 1 and any(step.field for step in self.steps)

    @cached_property
    def reads_more(self) -> bool:
        """True if more is read of rows than their texts: answers, and fields with spans."""
        return any((self.has_followers, self.protect_sources, self.only_sources, self.beside))

    @cached_property
    def has_followers(self) -> bool:
        """True if something else than the texts may change with them."""
        return any((self.target, self.choices, self.spans, self.copies == "follow"))

    @cached_property
    def writes_answers(self) -> bool:
        """True if a step may write in right answers, as consistent ones do."""
        return any(step.consistent for step in self.steps)

    @property
    def inner_rows(self) -> InnerRows | None:
        """Where rows are inside others, and the fields around them that are read."""
        return None if self.rows is None else InnerRows.of(self.rows, self.paths)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The paths to all that is read of a row, that to its id if it is no field of it."""
        spans = (each.path for each in (*self.spans, *self.protect_sources, *self.only_sources))
        ids = () if self.id_field.isidentifier() else (self.id_field,)
        return (*self.field, *self.choice_paths, *self.target, *self.beside, *spans, *ids)

    @cached_property
    def moves_whole_items(self) -> bool | None:
        """Whether steps on options act on whole items of a list; None if no step acts on them."""
        return moves_whole_items(self.conditions, bool(self.choices))

    @cached_property
    def has_one_text(self) -> bool:
        """True if a row has one text, not counting right answers."""
        return len(self.field) == 1 and not json_path.is_many(self.field[0])

    @cached_property
    def reads_json(self) -> bool:
        """True if all steps read JSON, so that a field may hold an object."""
        return all(step.perturbator.reads_json for step in self.steps)

    @property
    def has_original(self) -> bool:
        """True if records hold the text before."""
        return self.has_one_text and not self.lean

    @property
    def grid(self) -> Grid:
        """The pipelines of all conditions, with their labels."""
        return Grid(*zip(*((each.pipeline, each.label) for each in self.conditions), strict=True))

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults, by name, as text and numbers."""
        options: dict[str, Any] = {}
        for name in self._fields[1:]:
            value = vars(self)[name]
            if value != (() if name == "field" and self.choices else getattr(Job, name)):
                options[name] = value
        for name in ("protect", "only"):
            if name in options:
                options[name] = rule_texts(options[name])
        if "spans" in options:
            options["spans"] = list(map(str, self.spans))
        several = len(self.conditions) > 1
        expected = [
            f"{grammar.quoted_label(each.label)}={each.expect}" if several else each.expect
            for each in self.conditions
            if each.expect is not None
        ]
        return {**options, "expect": expected} if expected else options

    @property
    def long_rules(self) -> list[str]:
        """The options with rules too long for every record, which only a manifest holds."""
        rules = {name: self.options.get(name, ()) for name in ("protect", "only")}
        return [name for name, texts in rules.items() if sum(map(len, texts)) > _LONGEST_RULES]


class Version(Frozen):
    """One version of every text of a job: a condition, and the number of the replicate."""

    job: Job
    condition: Condition
    replicate: int

    @cached_property
    def stages(self) -> list[Stage]:
        """The steps as the engine sees them."""
        by_field, pipeline = self.job.by_field, self.condition.pipeline
        stages = pipeline.stages(self.job.seed, self.replicate)
        if not by_field:
            return stages
        numbers: dict[str, int | None] = {"": None, **{p: n for n, p in enumerate(self.job.field)}}
        pairs = zip(stages, pipeline.steps, strict=True)
        return [stage._replace(field=numbers[step.field]) for stage, step in pairs]

    @cached_property
    def planned(self) -> PlannedStep | None:
        """The only step, if one kernel can do it to a text; else None."""
        only = self.job.only_rules
        return planned_step(self.stages) if only is None or only.unwritten is None else None

    @cached_property
    def moves_whole_items(self) -> bool:
        """Whether its steps act on whole items of a list."""
        return bool(moves_whole_items((self.condition,)))

    @cached_property
    def suffix(self) -> str:
        """The suffix that turns an original's id into the id of this version."""
        return suffix_of(self.condition.label, self.replicate)

    @cached_property
    def recipe(self) -> str:
        """The recipe, as text, that makes this version of a row again."""
        options = of_row(self.job.options)
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
        """The expectation of each step for the right answer, where the step acts."""
        alone = self.job.has_one_text and not self.job.target
        pairs = [(step.perturbator, step.parameters) for step in self.condition.pipeline.steps]
        return tuple(
            each.expect_of_kind.get(
                str(given.get("kind")), each.expect_alone if alone else each.expect
            )
            for each, given in pairs
        )


@spelled_out
def job_of(
    steps: Any,
    p: Any = None,
    *,
    rows: str | None = None,
    nested: bool = False,
    first_replicate: int = 0,
    **options: Unpack[Options],
) -> Job:
    """Make a job from the arguments of an entry point; see `perturb.augment`.

    Raises:
        UsageError: an unknown name or parameter, or an invalid value.
        TypeError: a value of a wrong type.
    """
    settings = {"p": p, "nested": nested, "first_replicate": first_replicate, **options}
    if (shape := settings.pop("shape", None)) is not None:
        from perturb.plan.shapes import shape_options

        settings = {**shape_options(shape, steps), **settings}
        rows = settings.pop("rows", None) if rows is None else rows
    strength: dict[str, Any] = {}
    for name in _STRENGTH:
        if (value := settings.pop(name, None)) is not None:
            strength[name] = value
    conditions = conditions_of(steps, strength, settings.pop("expect", None))
    return Job(conditions=conditions, rows=rows, **settings)


def _listed(name: str, paths: Any) -> tuple[str, ...]:
    if paths is not None and not isinstance(paths, Sequence):
        raise TypeError(f"{name} must be a path or a list of paths; got {shown(paths)}")
    return (paths,) if isinstance(paths, str) else tuple(paths or ())
