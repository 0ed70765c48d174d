"""What to know beside a verdict: each in one sentence."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.robustness.grading.plan import MARGIN
from perturb.robustness.grading.ways import ERROR_RATES
from perturb.robustness.linking.damage import ADVICE, KINDS, PROTECT
from perturb.robustness.measures.findings import ALL, UNDAMAGED
from perturb.robustness.measures.human import correction_hints
from perturb.robustness.measures.judgement import CANNOT_JUDGE, CONTROL
from perturb.robustness.measures.metric import Metric, to_original
from perturb.robustness.measures.unanswered import lost_hint
from perturb.robustness.metrics.inference import clustered_mean
from perturb.robustness.metrics.looks import look_hint
from perturb.robustness.pairs.alignment import joined_by_id
from perturb.robustness.scoring.verdict import Verdict, edited_flips, noise
from perturb.robustness.tables.headline import footnote
from perturb.robustness.tables.tables import shown
from perturb.values.arrays import distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.robustness.pairs.join import Pairs

# Scores in a wider range are points of 5, 10 or 100.
_WIDE = 2
# With fewer clusters, or fewer originals more than clusters, a design effect is chance alone.
_SHARED_BY = 5


def hints(result: Verdict, pairs: Pairs) -> Iterator[str]:
    """Yield what to know beside a verdict, and what to do next."""
    yield from correction_hints(result.overall[0], pairs)
    yield from lost_hint(pairs, result.metrics)
    yield from design_hints(pairs)
    yield from range_hint(result.metrics, result.margin, pairs)
    several = len(result.metrics) > 1
    for metric in result.metrics:
        flips, unedited = noise(result, metric)
        if flips:
            name = f"{metric}: " if several else ""
            changed, edited = edited_flips(result, metric)
            yield (
                f"{name}{flips:,} of {unedited:,} rows without an edit flipped too "
                f"({100 * flips / unedited:.1f} %), and {changed:,} of {edited:,} with one "
                f"({100 * changed / max(edited, 1):.1f} %): the system varies by itself, and only "
                "the excess comes from perturbing."
            )
    yield from _damage_hints(result, several)
    yield from footnote(shown(result))
    yield from control_hints(result, pairs)
    yield from joined_by_id(pairs)
    yield from look_hint(pairs.look)


def range_hint(metrics: Mapping[str, Metric], margin: float, *sides: Pairs) -> Iterator[str]:
    """Yield which scores have no range that is known, or one for which the margin is not meant."""
    for measure, (name, metric) in enumerate(metrics.items()):
        scores = [pairs.columns.scores[:, measure] for pairs in sides]
        if not metric.is_known(*scores):
            low, high = metric.ends(*scores)
            example = "--range 0,100 (range= in Python)"
            if to_original(name)[1] in ERROR_RATES:
                example = f"--range 0,{math.ceil(high)}: replies may have more errors than words"
            yield (
                f"The range of {name} is not known (here {low:.4g} to {high:.4g}), so nothing is "
                f"called robust or no worse: state it, as in {example}. The wider "
                "it is, the more originals a verdict takes."
            )
        elif (
            margin == MARGIN
            and to_original(name)[1] not in ERROR_RATES
            and metric.range is not None
        ):
            low, high = metric.range
            if high - low > _WIDE:
                yield (
                    f"The range of {name} has {high - low:g} points, and a difference counts as "
                    f"robust within {margin:g} points only: --margin {margin * (high - low):g} "
                    f"(margin= in Python) is as wide as {margin:g} for scores from 0 to 1."
                )


def design_hints(*sides: Pairs, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield which answers clean means pool, and which originals belong together.

    Args:
        sides: joined rows; where systems are compared, those of all.
        names: theirs if each has a difference of its own; those of two systems without have one.
    """
    pairs = sides[0]
    if (pairs.answers > 1).any() and pairs.columns.corpus is None:
        controls = ", ".join(each.name for each in pairs.named if each.control)
        yield (
            f"Clean means pool up to {pairs.answers.max():,} answers to each original: its own and "
            f"those to {controls}, in which nothing is perturbed. The clean mean beside {controls} "
            "is that of its own answer alone."
        )
    yield from _shared_hint(sides, names)


def _shared_hint(sides: Sequence[Pairs], names: Sequence[str]) -> Iterator[str]:
    """Yield which clusters there are; or else the field that originals share, and its effect."""
    pairs = sides[0]
    columns, every = pairs.columns, distinct(pairs.original).size
    if columns.cluster is not None:
        units = distinct(pairs.unit).size
        yield (
            f"Originals that share {' or '.join(columns.clusters)} count as one: all intervals are "
            f"of {units:,} clusters of {every:,} originals."
            if columns.clusters
            else f"All intervals are of {units:,} groups of the {every:,} originals: a function is "
            "called again without each group."
        )
        return
    there = np.logical_and.reduce([pairs.counted, *(each.by(0).there for each in sides)])
    counted = [each.take(np.flatnonzero(there)) for each in sides]
    changes, of = [(each.perturbed - each.baseline)[:, 0] for each in counted], ""
    if len(changes) == 2 and not names:
        changes, of = [changes[1] - changes[0]], " between the two"
    original = counted[0].original
    if not original.size:
        return
    effects, every = [], distinct(original).size
    for (name, values), (at, change) in product(columns.texts.items(), enumerate(changes)):
        count = distinct(values[original]).size
        if _SHARED_BY <= count <= every - _SHARED_BY:
            groups = original, values[original]
            alone, together = (clustered_mean(change, each).standard_error for each in groups)
            effects.append(((together / alone) ** 2 if alone else 0.0, name, count, -at))
    if effects:
        effect, name, count, at = max(effects)
        of = f" of {names[-at]}, the most affected," if names else of
        # Below that, two digits would read "1 times as large".
        size = "no larger" if effect < 1.05 else f"{effect:.2g} times as large"
        varies = f"the variance of the difference{of} is {size} by them"
        here = varies if effect else "every difference is 0"
        yield (
            f"{every:,} originals share {count:,} different texts in {name!r}. Where those of one "
            f"break together they count as less, and here {here}: "
            f"name it with --cluster {name} (cluster= in Python)."
        )


def asked_once(pairs: Pairs) -> bool:
    """Return whether no original was asked again, with another seed or by a control."""
    one_row = distinct(pairs.clean_place).size == distinct(pairs.original).size
    return one_row and not any(condition.control for condition in pairs.conditions)


def sampling_hint(pairs: Pairs, temperature: Any) -> Iterator[str]:
    """Yield that each answer was drawn once, if it was drawn."""
    if isinstance(temperature, (int, float)) and temperature > 0 and asked_once(pairs):
        yield (
            f"Each row was asked once, at temperature {temperature:g}: some flips are draws of the "
            "system and not of the noise. Ask with perturb run --seeds, or add identity to the "
            "conditions, to see how many."
        )


def control_hints(result: Verdict, pairs: Pairs) -> Iterator[str]:
    """Yield that agreement can't be compared with itself where each original was asked once."""
    if asked_once(pairs) and any(to_original(name)[0] for name in result.metrics):
        yield (
            "Each original was asked once, so it agrees with itself. If the system's answers vary "
            "by themselves, that is too good: add identity to the conditions, or ask with perturb "
            "run --seeds."
        )


def _damage_hints(result: Verdict, several: bool) -> Iterator[str]:
    """Yield the side effects of edits, as in the findings over all."""
    whole = result.overall[0]
    compared, of = whole.comparison, f" of {whole.metric}" * several
    touched, unknown = compared.quality.touching, compared.quality.damage_unknown
    if unknown:
        yield (
            f"What the edits touch is not known of {unknown:,} of {compared.rows:,} rows: the text "
            "is not in them; keep it through scoring, or perturb without --lean."
        )
    rest = next((one for one in result.overall if one.scope == UNDAMAGED), None)
    if any(touched) and rest is None:
        yield "Every row has an edit that touches a number, a negation or an option."
    elif any(touched) and rest is not None and whole.verdict != CANNOT_JUDGE:
        kinds = [
            f"{count:,} touch{'es' * (count == 1)} {kind}"
            for count, kind in zip(touched, KINDS, strict=True)
            if count
        ]
        hint = (
            f"Edits change the question: of {compared.rows:,} rows {', '.join(kinds)}; without "
            f"these rows the difference{of} is {rest.comparison.difference:+.3f}."
        )
        # Otherwise these edits don't break it, and the advice would fix nothing.
        if _due_to_damage(result, whole.metric) > result.margin:
            # A step that touches one in each row acts on nothing else, and would change nothing.
            each = [one.comparison for one in result.conditions if one.scope == ALL]
            presets = [
                name
                for at, name in enumerate(PROTECT)
                if any(0 < one.quality.touching[at] < one.changed for one in each)
            ]
            hint += f"{ADVICE}{','.join(presets)}." if presets else ""
        yield hint
    if compared.quality.writing_digits:
        yield (
            f"In {compared.quality.writing_digits:,} of {compared.rows:,} rows a step writes "
            "digits into words; no number of the original changes by these edits."
        )


def _due_to_damage(result: Verdict, metric: str) -> float:
    """Return how much smaller the difference is without rows whose edits change the question.

    Conditions are compared with themselves: one that touches more may break more for other reasons.
    """
    of_metric = [one for one in result.conditions if one.metric == metric]
    rest = {one.name: one.difference for one in of_metric if one.scope == UNDAMAGED}
    both = [
        (one.comparison.rows, one.difference, rest[one.name])
        for one in of_metric
        if one.scope == ALL and one.name in rest and one.verdict != CONTROL
    ]
    with_, without = (abs(sum(one[0] * one[at] for one in both)) for at in (1, 2))
    return (with_ - without) / max(sum(rows for rows, *_ in both), 1)
