"""The parts of a job: its conditions, and the rules for where edits may be.

A condition is a pipeline with a label, and the fate of the right answer. Rules find places in
texts, or name fields of a row with spans of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from perturb.engine.protection import NO_RULES, Rules, listed_rules
from perturb.errors import UsageError, shown
from perturb.io import json_path
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Pipeline, cells_of
from perturb.plan.options import LINKAGE
from perturb.plan.recipe_text import cut
from perturb.registry.definition import EXPECTS
from perturb.rng import blake2b
from perturb.values.fields import Frozen, check_word

# All versions of a row are in memory at once. Grids have tens of conditions, so a call with more
# versions than this is a slip, which would otherwise look as if it hung.
MOST_VERSIONS = 10_000
# A label is in every id and in the first column of every table, beside some 50 columns of figures.
# A longer one is cut to leave room for ~ and eight digits of a hash.
_LONGEST_LABEL, _KEPT = 48, 39


class Condition(NamedTuple):
    """One kind of noise, whose rows are judged together.

    Attributes:
        label: its name in ids, tables and pages.
        pipeline: the steps.
        expect: what becomes of the right answer, if the caller declares it; None to believe the
            steps.
    """

    label: str
    pipeline: Pipeline
    expect: str | None = None


def conditions_of(
    steps: Any, strength: Mapping[str, Any], expect: Any = None
) -> tuple[Condition, ...]:
    """Return the conditions that a caller's steps or grid describe; see `job_of`."""
    cells = cells_of(steps, strength)
    return expected([(shortened(label), pipeline) for pipeline, label in cells], expect)


def expected(cells: Sequence[tuple[str, Pipeline]], expect: Any) -> tuple[Condition, ...]:
    """Return conditions with the caller's expectation for the right answer under each.

    Args:
        cells: their labels and steps.
        expect: a word for all, `LABEL=WORD`, a list of these, or a mapping from labels to words.

    Raises:
        UsageError: an unknown word, an unknown label, or two words for one condition.
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
        raise UsageError(f"expect has two words for one condition; got {shown(expect)}")
    labels = [label for label, _ in cells]
    for label in words:
        if label not in (*labels, ""):
            raise UsageError(
                f"expect names no condition {label!r}; the conditions are {', '.join(labels)}"
            )
    return tuple(
        Condition(label, pipeline, words.get(label, words.get(""))) for label, pipeline in cells
    )


def shortened(label: str) -> str:
    """Return a label, cut to 48 characters with a hash at its end if it is longer."""
    label = " ".join(label.split())
    if len(label) <= _LONGEST_LABEL:
        return label
    digest = blake2b(label.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{label[:_KEPT].rstrip(' ,:')}~{digest}"


def suffix_of(label: str, replicate: int) -> str:
    """Return the suffix that turns an original's id into the id of one of its versions."""
    return f"#{label}" + (f"#{replicate}" if replicate else "")


class SpanSource(Frozen):
    """A field of a row that holds spans of a text.

    Attributes:
        path: to the spans.
        text: the path to their text; empty if the row has only one.
    """

    path: str
    text: str = ""

    @classmethod
    def of(cls, spec: str | SpanSource) -> SpanSource:
        """Read `[TEXT=]PATH`, split at the first = outside brackets."""
        return spec if isinstance(spec, SpanSource) else cls(*reversed(cut(spec)))

    def is_within(self, choices: Sequence[str], fields: Sequence[str]) -> bool:
        """Return whether their text is in one of these lists, such as a passage that is cited.

        The text of a row without other fields is in the first.
        """
        text = self.text or "".join(choices[: not fields])
        return any(f"{text}.".startswith((f"{path}.", f"{path}[")) for path in choices)

    def __str__(self) -> str:
        return f"{self.text}={self.path}" if self.text else self.path


def _is_source(rule: Any) -> bool:
    return isinstance(rule, str) and rule.startswith("field:")


def span_sources(rules: Iterable[Any]) -> tuple[SpanSource, ...]:
    """Return the fields with spans that rules name."""
    return tuple(SpanSource.of(rule.removeprefix("field:")) for rule in rules if _is_source(rule))


def rules_of(rules: Iterable[Any]) -> Rules:
    """Read the rules that name no field and so apply to every text."""
    general = [rule for rule in rules if not _is_source(rule)]
    return Rules.of(general) if general else NO_RULES


def in_order(rules: Any) -> tuple[Any, ...]:
    """Return rules in the order of jobs and recipes: patterns, then spans, then fields."""
    listed = listed_rules(rules)
    return tuple(sorted(listed, key=lambda rule: (_is_source(rule), isinstance(rule, tuple))))


def rule_texts(rules: Iterable[Any]) -> list[str]:
    """Return the rules of a job as text, with a span as START-END."""
    return [f"{rule[0]}-{rule[1]}" if isinstance(rule, tuple) else rule for rule in rules]


def check_conditions(
    conditions: Sequence[Condition], field: Sequence[str], replicates: int, copies: str
) -> None:
    """Refuse too many conditions, two of one name, and steps that the other options exclude.

    Raises:
        UsageError: there are some.
    """
    if len(conditions) * replicates > MOST_VERSIONS:
        raise UsageError(
            f"a row can have at most {MOST_VERSIONS:,} versions; make several runs, each with "
            f"its own seed; got {len(conditions):,} conditions and "
            f"{shown(replicates)} replicates"
        )
    for condition in conditions:
        if condition.expect is not None:
            check_word("expect", condition.expect, EXPECTS)
        for step in condition.pipeline.steps:
            if step.field not in ("", *field):
                raise UsageError(
                    f"{step.perturbator.name} takes the field {step.field!r}, but the fields "
                    f"to perturb are {', '.join(field)}: name it with --field (field= in "
                    "Python) too"
                )
    if copies == "follow" and moves_whole_items(conditions):
        raise UsageError(
            "copies follow edits of texts, and not items that move: leave out copies=follow "
            "(--copies)"
        )
    labels = [condition.label for condition in conditions]
    if len(set(labels)) < len(labels):
        raise UsageError(
            f"two conditions have the same label; name them, as in LABEL=STEPS; got "
            f"{', '.join(labels)}"
        )


def check_owners(
    id_field: str, field: Sequence[str], choices: Sequence[str], target: Sequence[str]
) -> None:
    """Refuse invalid paths, and fields that one value would overwrite with another.

    Args:
        id_field: see `Job`, as for the others.
        field: the paths to texts.
        choices: the paths to options, without labels.
        target: the paths to right answers.

    Raises:
        UsageError: there are some.
        TypeError: a path is no text.
    """
    owners = {LINKAGE: "the linkage record"}
    kinds = (("field", field, "a text"), ("choices", choices, "options"))
    for name, paths, kind in (*kinds, ("target", target, "an answer")):
        for path in paths:
            if not isinstance(path, str):
                raise TypeError(f"{name} must be a path or a list of paths; got {shown(path)}")
            if not path.isidentifier():
                json_path.parse(path)
            if path in owners:
                raise UsageError(f"{name} {path!r}: this field already holds {owners[path]}")
            owners[path] = kind
    if id_field in owners:
        raise UsageError(
            f"the field {id_field!r} names the rows, so it can't be {owners[id_field]} too; copy "
            "it to another field, or name the rows by another one with --id-field"
        )


def moves_whole_items(conditions: Iterable[Condition], alone: bool = False) -> bool | None:
    """Return whether steps on options act on whole items of a list; None if no step acts on them.

    Args:
        conditions: the steps.
        alone: whether they must not also act on the texts of options.

    Raises:
        UsageError: they do.
    """
    steps = [step for each in conditions for step in each.pipeline.steps if step.on_options]
    kinds = {step.perturbator.whole_items: step.perturbator.name for step in steps}
    if len(kinds) > 1 and alone:
        raise UsageError(
            f"{kinds[True]} moves whole items, with all that belongs to each, and {kinds[False]} "
            "the texts of options: make a run for each of them"
        )
    return max(kinds, default=None)
