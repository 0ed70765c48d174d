"""The headline of a verdict or a comparison: the same words in a terminal, a file and a page."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.grading.plan import LOSE
from perturb.robustness.linking.conditions import ABSTAIN, KEPT, OTHER, condition_name
from perturb.robustness.measures.findings import ALL, Finding, Result
from perturb.robustness.measures.judgement import (
    A_TOLERATES,
    ABSTAINS,
    B_TOLERATES,
    CANNOT_JUDGE,
    CONTROL,
    FALSE_DISCOVERIES,
    INSENSITIVE,
    INVENTS,
    LOSES,
    OF_ABSTENTIONS,
    OF_ONE,
    OF_REACTIONS,
    OF_TWO,
    SENSITIVE,
    SYSTEMS,
    UNDECIDED,
    Words,
)
from perturb.robustness.measures.metric import AGREEMENT, CHANGE, to_original
from perturb.robustness.tables.figures import Figure, filled, reactions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.robustness.measures.findings import Findings


# Three conditions of the same verdict are named and the others counted: a grid has forty, and a
# sentence that lists them all isn't read.
_NAMED = 3
# What comes before the conditions that have a verdict, in the order of the sentence.
_LEADS = {
    OF_ONE.loss: "Breaks",
    OF_TWO.loss: "{b} loses more than {a}",
    INVENTS: "Invents an answer",
    INSENSITIVE: "Insensitive",
    OF_REACTIONS.loss: "{a} reacts more than {b}",
    OF_ABSTENTIONS.loss: "{a} abstains more than {b}",
    OF_ONE.gain: "Gains",
    OF_TWO.gain: "{a} loses more than {b}",
    OF_REACTIONS.gain: "{b} reacts more than {a}",
    OF_ABSTENTIONS.gain: "{b} abstains more than {a}",
    UNDECIDED: "Undecided",
    OF_ONE.no_loss: "No worse",
    OF_TWO.no_loss: "{b} loses no more than {a}",
    OF_ONE.within: "Holds",
    OF_TWO.within: "{a} and {b} lose the same",
    SENSITIVE: "Sensitive",
    ABSTAINS: "Abstains",
    OF_REACTIONS.no_loss: "{b} reacts no less than {a}",
    OF_REACTIONS.within: "{a} and {b} react the same",
    OF_ABSTENTIONS.no_loss: "{b} abstains no less than {a}",
    OF_ABSTENTIONS.within: "{a} and {b} abstain equally often",
    CANNOT_JUDGE: "Cannot judge",
}
_EVERY = OF_ONE, OF_TWO, OF_REACTIONS, OF_ABSTENTIONS
# Verdicts whose conditions are named from the smallest loss to the largest.
_GAINS = OF_ONE.gain, OF_TWO.gain, SENSITIVE, OF_REACTIONS.gain, OF_ABSTENTIONS.gain
# Those that tell what becomes of the answer.
_REACTING = SENSITIVE, INSENSITIVE, INVENTS, ABSTAINS, *OF_REACTIONS, *OF_ABSTENTIONS
# Those of tolerances.
_TOLD = LOSES, A_TOLERATES, B_TOLERATES
# Those that tell how often.
_SHARES = INVENTS, ABSTAINS
# What changes, where there is no right answer.
_OF = {
    AGREEMENT: "agreement with the answer to the original ",
    CHANGE: "distance from the answer to the original ",
}


class Name(NamedTuple):
    """A condition, or a perturbator in all of its strengths; with a difference, if it is shown."""

    text: str
    difference: float | None = None

    def __str__(self) -> str:
        return self.text if self.difference is None else f"{self.text} ({self.difference:+.3f})"


class Clause(NamedTuple):
    """The conditions that have one verdict.

    Attributes:
        verdict: the word for them.
        lead: what comes before the names.
        names: those that are named; none if the clause is about everything.
        left: how many more there are.
        reason: why they cannot be judged; "" where they can.
    """

    verdict: str
    lead: str
    names: list[Name]
    left: int = 0
    reason: str = ""

    @property
    def gaps(self) -> list[str]:
        """What comes after each name: a comma, "and", or the end of the clause."""
        count = len(self.names)
        end = (f" and {self.left:,} more" if self.left else "") + (
            f": {self.reason}." if self.reason else "."
        )
        last = ", " if self.left else " and "
        return [*[", "] * (count - 2), *[last] * (count > 1), end]

    def __str__(self) -> str:
        if not self.names:
            return f"{self.lead}{self.gaps[0]}"
        pairs = zip(self.names, self.gaps, strict=True)
        return f"{self.lead} {''.join(f'{name}{gap}' for name, gap in pairs)}"


class Headline(NamedTuple):
    """The findings by one metric.

    Attributes:
        metric: its name; "" where there is no other.
        clauses: the conditions that break, gain, are undecided, hold; the most important first.
        figures: all conditions together, in a sentence of words and figures; where conditions
            contradict each other, only how many rows changed; then what reactions are beside.
        tally: how many judged conditions of one system have each verdict, in a sentence; "" for a
            single one, or if none can be judged.
        tolerances: the strengths at which so much is lost, each in a sentence.
    """

    metric: str
    clauses: list[Clause]
    figures: list[str | Figure]
    tally: str
    tolerances: Sequence[str] = ()

    def __str__(self) -> str:
        figures = "".join(map(str, self.figures)).strip()
        parts = [*map(str, self.clauses), figures, self.tally, *self.tolerances]
        text = " ".join(filter(None, parts))
        return f"{self.metric}: {text}" if self.metric else text

    @property
    def verdicts(self) -> set[str]:
        """The verdicts that the sentence names."""
        return {clause.verdict for clause in self.clauses}


def headlines(findings: Findings[Result]) -> list[Headline]:
    """Return the headline of each metric."""
    words = OF_ONE if isinstance(findings.overall[0], Finding) else OF_TWO
    several, lines = len(findings.metrics) > 1, []
    for name, metric in findings.metrics.items():
        conditions, overall = findings.whole(name)
        judged = [finding for finding in conditions if finding.verdict != CONTROL]
        judged.sort(key=lambda finding: finding.difference, reverse=not metric.higher_is_better)
        systems = getattr(findings, "systems", SYSTEMS)
        headline = _headline(name if several else "", judged, overall, words, systems)
        headline.figures.extend(reactions(judged, getattr(findings, "at_least", 0.0)))
        lines.append(headline._replace(tolerances=_tolerances(findings, name, systems)))
    return lines


def _tolerances(findings: Findings[Result], metric: str, systems: Sequence[str]) -> list[str]:
    """Return at which strengths a system loses so much, the steps that cost most first.

    Of two systems, return which tolerates more.
    """
    steps = [
        step
        for step in getattr(findings, "tolerances", ())
        if step.metric == metric and step.system not in SYSTEMS and step.verdict in _TOLD
    ]
    steps.sort(key=lambda step: -max((rung.loss for rung in step.curve), default=0))
    return [step.of(systems).words(getattr(findings, "lose", LOSE)) for step in steps[:_NAMED]]


def _headline(
    metric: str, conditions: Sequence[Result], overall: Result, words: Words, systems: Sequence[str]
) -> Headline:
    """Return one headline.

    Args:
        metric: its name, or "".
        conditions: the largest loss first.
        overall: over all of them.
        words: those of their verdicts.
        systems: the names of two.
    """
    leads = {word: lead.format(a=systems[0], b=systems[1]) for word, lead in _LEADS.items()}
    counts = Counter(finding.verdict for finding in conditions if finding.expect == KEPT)
    total, kept = counts.total(), overall.verdict != CANNOT_JUDGE
    others = {finding.verdict for finding in conditions if finding.expect != KEPT}
    if not kept and {*counts, *others} <= {CANNOT_JUDGE} and (total or not others):
        clause = Clause(CANNOT_JUDGE, "Cannot judge", [], 0, overall.reason)
        return Headline(metric, [clause], [], "")
    clauses = list(_clauses(conditions, words, leads))
    decided = {words.loss, words.gain} & {*counts, overall.verdict}
    together = overall.verdict in words and overall.verdict not in counts
    if total > 1 and together and len(decided) < 2:
        lead = f"{leads[overall.verdict]} over all {total} conditions together"
        clauses.insert(0, Clause(overall.verdict, lead, []))
    if kept and not others and isinstance(overall, Finding):
        clauses[:0] = _unchanged(overall)
    figures: list[str | Figure] = []
    if kept or (total and overall.reason not in {clause.reason for clause in clauses}):
        figures = _figures(overall, len(conditions) > 1, len(decided) == 2, systems)
    return Headline(metric, clauses, figures, _tally(counts) if words is OF_ONE else "")


def _unchanged(overall: Finding) -> Iterator[Clause]:
    """Yield that no outcome changed, and which loss that rules out; nothing if one did.

    All right answers are one outcome, however written; with scores alone, equal ones are.
    """
    compared, low, high = overall.comparison, overall.low, overall.high
    agree, effect = compared.consistency == 100, compared.effect
    steady = not (effect.flips_to_bad != 0 or effect.flips_to_good or compared.quality.lost)
    if low is not None and high is not None and compared.difference == 0 and (agree or steady):
        yield Clause(
            overall.verdict,
            f"No {'outcome changed' if agree else 'row flipped'} in {compared.changed:,} rows with "
            f"an edit, which rules out a mean loss above {max(-low, high):.3f} (95 %)",
            [],
        )


def _clauses(
    conditions: Sequence[Result], words: Words, leads: Mapping[str, str]
) -> Iterator[Clause]:
    """Yield the clauses about conditions.

    Of a perturbator that breaks or gains, its worst and its best strength are named, and the first
    that does; of another that has one verdict at all of its strengths, its name alone.
    """
    groups: dict[str, list[Result]] = {}
    for finding in conditions:
        group = condition_name(finding.perturbator, None, None, finding.expect)
        groups.setdefault(group, []).append(finding)
    names: dict[tuple[str, str], list[tuple[int, Name]]] = {}
    for group, members in groups.items():
        rising = sorted(members, key=lambda finding: finding.difference)
        orders = {
            words.loss: members,
            words.gain: members[::-1],
            SENSITIVE: rising[::-1],
            **dict.fromkeys((INSENSITIVE, INVENTS, ABSTAINS), rising),
            **dict.fromkeys((*OF_REACTIONS, *OF_ABSTENTIONS), members),
        }
        extremes = [
            next(finding for finding in ordered if finding.verdict == verdict)
            for verdict, ordered in orders.items()
            if any(finding.verdict == verdict for finding in members)
        ]
        for finding in extremes:
            word = ABSTAIN if finding.verdict in (*_SHARES, *OF_ABSTENTIONS) else OTHER
            end = f" (expect {word})" if finding.verdict in _REACTING else ""
            text = finding.name.removesuffix(end)
            if finding.verdict in (words.loss, words.gain):
                text = _from_first(group, finding, members)
            name = Name(text, finding.difference)
            if finding.verdict in _SHARES:
                share = abs((finding.verdict == INVENTS) - finding.difference)
                name = Name(f"{100 * share:.0f} % of cases under {text}")
            names.setdefault((finding.verdict, ""), []).append((conditions.index(finding), name))
        alike = len({(finding.verdict, finding.reason) for finding in members}) == 1
        for finding in () if extremes else members[:1] if alike else members:
            name = Name(group if alike else finding.name)
            at = conditions.index(finding)
            names.setdefault((finding.verdict, finding.reason), []).append((at, name))
    for verdict, lead in leads.items():
        under = " in" if verdict in _SHARES else "" if verdict == CANNOT_JUDGE else " under"
        for (word, reason), each in names.items():
            if word == verdict:
                best = sorted(each, key=itemgetter(0), reverse=verdict in _GAINS)
                told, more = [name for _, name in best[:_NAMED]], len(best[_NAMED:])
                yield Clause(verdict, f"{lead}{under}", told, more, reason)


def _from_first(group: str, worst: Result, members: Sequence[Result]) -> str:
    """Return the name of the strength that breaks or gains most, behind the first that does."""
    broken = [one for one in members if one.verdict == worst.verdict]
    first = min(broken, key=lambda one: (one.severity or 0, one.p or 0.0))
    if first is worst or len({one.severity is None for one in broken}) > 1:  # no common unit
        return worst.name
    start, end = (one.name.removeprefix(f"{group} ") for one in (first, worst))
    return f"{group} from {start}, most at {end}"


def _figures(
    overall: Result, several: bool, apart: bool, systems: Sequence[str]
) -> list[str | Figure]:
    """Return all conditions together, in a sentence.

    Args:
        overall: the finding or the contrast over all of them.
        several: whether there are several.
        apart: whether they disagree, which an average would hide; how many rows changed is left.
        systems: the names of two.
    """
    these = end = ""
    kind, label = to_original(overall.metric)
    by = f"{'by ' * bool(kind)}{label} " * label.endswith(")")
    of = _OF.get(kind, "") + by
    if isinstance(overall, Finding):
        compared = overall.comparison
        values = {
            **compared._asdict(),
            **compared.uncertainty._asdict(),
            "changed": compared.changed,
            "edited": compared.quality.edited_difference,
        }
        begin = f"overall {of}from " if several else f"{of}from "
        begin = begin[0].upper() + begin[1:] + "{clean_mean:.3f} to {perturbed_mean:.3f} "
        these = ", these by {edited:+.3f}"
    else:
        values = {**overall._asdict(), "a": systems[0], "b": systems[1]}
        begin = "Perturbing changes {a} by {change_a:+.3f} and {b} by {change_b:+.3f} "
        if of:
            begin = begin.replace("{a}", f"the {of}of {{a}}").replace("{b}", "that of {b}")
        end = (
            " {a} holds where {b} breaks in {a_holds:,} of {rows:,} rows, {b} where {a} breaks in "
            "{b_holds:,}."
        )
    every = values["changed"] == values["rows"]
    share = "all {rows:,}" if every else "{changed:,} of {rows:,}"
    if apart:
        return filled(f"{share.capitalize()} rows changed.", values)
    if overall.verdict == CANNOT_JUDGE:
        return [f"All together cannot be judged: {overall.reason}."]
    count = overall.more_originals
    more = "." if count is None else f"; about {count:,} more originals would decide."
    interval = (
        "({difference:+.3f}, 95 % interval {low:+.3f} to {high:+.3f}; {originals:,} originals"
    ) + " in {units:,} clusters" * (values["units"] < values["originals"])
    rows = f"{share} rows changed{'' if every else these})"
    return filled(f"{begin}{interval}, {rows}{more}{end}", values)


def footnote(findings: Sequence[Result]) -> Iterator[str]:
    """Yield why some differences are not decided beside an interval that excludes 0."""
    open_words = {UNDECIDED, *(words.no_loss for words in _EVERY)}
    names = [
        f"{finding.name}{' (changed rows)' * (finding.scope != ALL)}, p {finding.p_adjusted:.2g}"
        for finding in findings
        if finding.verdict in open_words
        if finding.p_adjusted is not None and finding.p_value is not None
        if FALSE_DISCOVERIES <= finding.p_adjusted > finding.p_value
        if finding.low is not None and finding.high is not None
        if not finding.low <= 0 <= finding.high
    ]
    if names:
        yield (
            f"Not decided although the interval excludes 0: {'; '.join(dict.fromkeys(names))}. The "
            "p-value decides too: it is adjusted for the number of comparisons (Benjamini and "
            "Hochberg), and the interval is not."
        )


def _tally(counts: Mapping[str, int]) -> str:
    """Count the verdicts of the conditions."""
    total = sum(counts.values())
    if total < 2:
        return ""
    order = (OF_ONE.loss, CANNOT_JUDGE, UNDECIDED, OF_ONE.gain, OF_ONE.no_loss, OF_ONE.within)
    parts = [
        f"{counts[word]} {'cannot be judged' if word == CANNOT_JUDGE else word}"
        for word in order
        if counts[word]
    ]
    return f"Of {total} conditions: {', '.join(parts)}."
