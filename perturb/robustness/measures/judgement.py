"""The word for a difference, or for a reaction, or why it cannot be judged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.measures.metric import Metric
from perturb.robustness.measures.obstacles import (
    lost_replies,
    more_originals,
    nothing_to_lose,
    open_between,
    open_of_one,
    too_few,
)
from perturb.robustness.measures.reaction import AS_MANY, Reaction
from perturb.robustness.metrics.inference import benjamini_hochberg

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.robustness.measures.comparison import Comparison
    from perturb.robustness.metrics.looks import Look

ROBUST, WORSE, BETTER, NO_WORSE = "robust", "worse", "better", "no worse"
SENSITIVE, INSENSITIVE = "sensitive", "insensitive"
ABSTAINS, INVENTS = "abstains", "invents"
UNDECIDED, CANNOT_JUDGE, CONTROL = "undecided", "cannot judge", "control"


class Words(NamedTuple):
    """The words for a loss, a gain, a difference within the margin, and a loss of at most that."""

    loss: str
    gain: str
    within: str
    no_loss: str


OF_ONE = Words(WORSE, BETTER, ROBUST, NO_WORSE)
SYSTEMS = "A", "B"
LOSES, TOLERATES = "loses", "tolerates"
A_TOLERATES, B_TOLERATES = "A tolerates more", "B tolerates more"
OF_TWO = Words("B loses more", "A loses more", "same", "B loses no more")
OF_REACTIONS = Words("A reacts more", "B reacts more", "same reaction", "B reacts no less")
OF_ABSTENTIONS = Words(
    "A abstains more", "B abstains more", "same abstention", "B abstains no less"
)


def of_systems(word: str, systems: Sequence[str]) -> str:
    """Return a verdict on A and B with the names of these systems.

    Examples:
        >>> of_systems("B loses more", ("small", "large")), of_systems("same", ("small", "large"))
        ('large loses more', 'same')
    """
    first, _, rest = word.partition(" ")
    return f"{dict(zip(SYSTEMS, systems, strict=True))[first]} {rest}" if first in SYSTEMS else word


# The share of false ones among the conditions that are called worse or better, as is usual.
FALSE_DISCOVERIES = 0.05
# A control of so many more edits shows nothing of a system that does not react beyond it: it may
# hide a reaction, and twice the edits is a difference in kind, by hand. Nor does one under which so
# large a share of the answers change, which leaves a third for any reaction.
_MANY_MORE, _MOST_CHANGED = 2.0, 2 / 3
_BEYOND = 2.0  # no reaction reaches it


class Evidence(NamedTuple):
    """A difference to judge.

    Attributes:
        difference: its estimate.
        low: the limits of its interval; None of one original.
        high: as `low`.
        p_value: the p-value of the test that it is 0; None of one original.
        comparisons: the comparisons of the rows, for the system or for each of two.
        control: whether nothing was perturbed on purpose.
        unjudged: why answers to the rows are neither right nor wrong; "" where they are.
        reactions: where the answers should change that of the system, or those of two, whose
            difference it is; else none.
        least: the difference with all lost replies for the worse; None if none is lost.
        most: the same for the better.
        size: the range of the scores.
        known: whether that is known; else nothing is within a margin.
        systems: the names of two.
        abstains: whether the answers should say that nobody can know.
    """

    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    comparisons: Sequence[Comparison]
    control: bool
    unjudged: str
    reactions: Sequence[Reaction] = ()
    least: float | None = None
    most: float | None = None
    size: float = 1.0
    known: bool = True
    systems: Sequence[str] = SYSTEMS
    abstains: bool = False

    @property
    def tested(self) -> float | None:
        """The p-value; None where nothing is tested, so that others are not adjusted for it."""
        tested = self.comparisons[0].changed and not self.control and not self.unjudged
        return self.p_value if tested else None


class Judgement(NamedTuple):
    """The word for a difference.

    Attributes:
        p_adjusted: the p-value adjusted for how many differences there are (Benjamini and
            Hochberg); None if there is none, or nothing was changed.
        verdict: `within` where the interval lies within the margin; else `loss` or `gain` where
            `p_adjusted` is below 0.05 and the interval excludes 0; else `no_loss` where the whole
            interval loses at most the margin; else `undecided`; `cannot judge` where there is a
            reason, and `control` where nothing was perturbed on purpose.
        reason: why it cannot be judged; "" where it can.
        more_originals: about how many more would decide; None where it is decided.
    """

    p_adjusted: float | None
    verdict: str
    reason: str = ""
    more_originals: int | None = None


def judged(
    evidence: Sequence[Evidence],
    metric: tuple[str, Metric],
    margin: float,
    look: Look,
    at_least: float = math.nan,
) -> list[Judgement]:
    """Judge differences that stand side by side.

    Args:
        evidence: that of each.
        metric: its name, and when scores are good.
        margin: differences within it are robust.
        look: at which asking stopped; of several, more originals would be one that was not planned.
        at_least: the smallest reaction of one system that counts.
    """
    adjusted: dict[int, float] = {}
    for reacts in (False, True):  # each kind by itself
        kind = (each for each in enumerate(evidence) if bool(each[1].reactions) == reacts)
        adjusted |= adjusted_of({at: item.tested for at, item in kind})
    words = list[Judgement]()
    for at, item in enumerate(evidence):
        if len(item.reactions) != 1:
            words.append(_judged(item, adjusted.get(at), metric, margin))
        elif item.abstains:
            words.append(judged_abstention(item, metric, at_least))
        else:
            words.append(judged_reaction(item.reactions[0], item.comparisons[0], at_least))
    return words if look.planned == 1 else [word._replace(more_originals=None) for word in words]


def adjusted_of(p_values: Mapping[int, float | None]) -> dict[int, float]:
    """Return the p-values that there are, adjusted for how many they are."""
    known = {at: p_value for at, p_value in p_values.items() if p_value is not None}
    adjusted = benjamini_hochberg([*known.values()]).tolist() if known else []
    return dict(zip(known, adjusted, strict=True))


def _judged(
    evidence: Evidence, p_adjusted: float | None, metric: tuple[str, Metric], margin: float
) -> Judgement:
    difference, low, high = evidence[:3]
    if evidence.control:
        return Judgement(None, CONTROL)
    reason = evidence.unjudged or _obstacle(evidence, metric, margin)
    if reason or p_adjusted is None or low is None or high is None:
        return Judgement(p_adjusted, CANNOT_JUDGE, reason or "there is one original")
    words = OF_ONE if len(evidence.comparisons) == 1 else OF_TWO
    first, rising = evidence.comparisons[0], metric[1].higher_is_better
    if evidence.reactions:
        words, rising = OF_ABSTENTIONS if evidence.abstains else OF_REACTIONS, True
    within = margin if evidence.known else -math.inf
    if -within <= low and high <= within:
        return Judgement(p_adjusted, words.within)
    if p_adjusted < FALSE_DISCOVERIES and (low > 0 or high < 0):
        return Judgement(p_adjusted, words.gain if (difference > 0) == rising else words.loss)
    if (low if rising else -high) >= -within:
        return Judgement(p_adjusted, words.no_loss)
    least, most = _ends(difference, evidence.least, evidence.most)
    is_open = evidence.least is not None and least <= 0 <= most
    if is_open and (least < -margin or most > margin):  # however many there are
        if len(evidence.comparisons) == 1:
            reason = open_of_one(first, difference, least, most, rising)
        else:
            reason = open_between(evidence.systems, evidence.comparisons, difference, least, most)
        return Judgement(p_adjusted, CANNOT_JUDGE, reason)
    count = first.originals, first.units
    if evidence.reactions:
        count = (evidence.reactions[0].reacting,) * 2
    more = more_originals((least, most), (low, high), count, within, evidence.size)
    return Judgement(p_adjusted, UNDECIDED, "", more)


def _ends(known: float, least: float | None, most: float | None) -> tuple[float, float]:
    """Return what a difference is with all lost replies at either end; itself if none is."""
    return (known, known) if least is None or most is None else (least, most)


def judged_reaction(reaction: Reaction, comparison: Comparison, at_least: float) -> Judgement:
    """Judge a reaction: `sensitive`, `insensitive`, `undecided`, or `cannot judge`.

    It is sensitive where the whole interval is above `at_least`, beside a control whose edits keep
    the answer: else whatever hashes its input would be.

    Args:
        reaction: the reaction of a condition under which the answers should change.
        comparison: the comparison of all of its rows.
        at_least: the smallest reaction that counts.
    """
    size, low, high = reaction[:3]
    if size is None or low is None or high is None:
        return _unseen(comparison)
    name, beside = reaction.control or "no control", reaction.control_changed or 0.0
    advice = (
        f"perturb also by what keeps the answer, with as many edits ({reaction.edits:.1f} a row), "
        f"such as keyboard_typos:count={math.ceil(AS_MANY * reaction.edits)}"
    )
    if low > at_least:
        reason = f"beside {name} the reaction is {size:+.3f}, but any edit may do that: {advice}"
        seen = reaction.control_edits > 0
        return Judgement(None, SENSITIVE if seen else CANNOT_JUDGE, "" if seen else reason)
    if beside > _MOST_CHANGED:
        share = f"{100 * beside:.0f} % of the answers"
        return Judgement(None, CANNOT_JUDGE, f"{share} change under {name} too")
    # Beside fewer edits the reaction would be larger, by as many answers as change here at most.
    largest = high + beside
    hidden = reaction.control_edits > _MANY_MORE * reaction.edits
    hidden = hidden and not largest < at_least < _BEYOND
    least, most = reaction.reaction_least, reaction.reaction_most
    if least is not None and most is not None and least <= at_least <= most:
        return Judgement(None, CANNOT_JUDGE, open_of_one(comparison, size, least, most, True))
    if high >= at_least:
        # None could decide it.
        futile = hidden if size < at_least else not reaction.control_edits
        return Judgement(None, UNDECIDED, "", None if futile else _more(reaction, at_least))
    if hidden:
        many = f"the {reaction.control_edits:.1f} edits a row of {name} may hide a reaction"
        return Judgement(None, CANNOT_JUDGE, f"{many}: {advice}")
    return Judgement(None, INSENSITIVE)


def judged_abstention(evidence: Evidence, metric: tuple[str, Metric], at_least: float) -> Judgement:
    """Judge the replies of one system where nobody can know the answer.

    It `invents` if the whole interval of the share of invented answers is above `at_least`, and
    `abstains` if it is at most that; else it is `undecided`. A system that answers no original
    correctly can't be judged: one that always says nothing would pass.

    Args:
        evidence: that of a condition.
        metric: its name, and when scores are good.
        at_least: the smallest share of invented answers that counts.
    """
    reaction, comparison, enough = evidence.reactions[0], evidence.comparisons[0], 1 - at_least
    size, low, high = reaction[:3]
    if size is None or low is None or high is None:
        return _unseen(comparison)
    if reason := nothing_to_lose(comparison, *metric, evidence.known):
        return Judgement(None, CANNOT_JUDGE, reason)
    if low >= enough or high < enough:
        return Judgement(None, ABSTAINS if low >= enough else INVENTS)
    least, most = reaction.reaction_least, reaction.reaction_most
    if least is not None and most is not None and least < enough <= most:
        return Judgement(None, CANNOT_JUDGE, open_of_one(comparison, size, least, most, True))
    return Judgement(None, UNDECIDED, "", _more(reaction, enough))


def _unseen(comparison: Comparison) -> Judgement:
    """Return why there is no reaction to judge."""
    if loss := lost_replies(comparison):
        return Judgement(None, CANNOT_JUDGE, loss)
    why = f" ({comparison.quality.unedited_why})" * bool(comparison.quality.unedited_why)
    few = "at most one original was changed" if comparison.changed else "no row was changed"
    return Judgement(None, CANNOT_JUDGE, f"{few}{why}")


def _more(reaction: Reaction, limit: float) -> int | None:
    """Return about how many more originals would tell a reaction from a limit."""
    size, low, high = (value or 0.0 for value in reaction[:3])
    least, most = _ends(size, reaction.reaction_least, reaction.reaction_most)
    ends, limits = (least - limit, most - limit), (low - limit, high - limit)
    return more_originals(ends, limits, (reaction.reacting,) * 2, 0.0)


def _obstacle(evidence: Evidence, metric: tuple[str, Metric], margin: float) -> str:
    """Return why rows can't be judged, whatever their scores say; "" where they can."""
    comparisons, reactions = evidence.comparisons, evidence.reactions
    names = ("",) if len(comparisons) == 1 else tuple(f"of {one}, " for one in evidence.systems)
    if reactions and not evidence.abstains:
        # The obstacles to any reaction; if the control has no edits, those to every one.
        least = _BEYOND if reactions[0].control_edits else -_BEYOND
        both = zip(reactions, comparisons, strict=True)
        reasons = [judged_reaction(*each, least).reason for each in both]
        names = ("", "") if reasons[0] == reasons[1] else names
    # The differences of two systems may lie on either side of the margin's middle.
    elif few := too_few(margin / len(comparisons), *comparisons, systems=evidence.systems):
        return few
    else:
        reasons = [nothing_to_lose(each, *metric, evidence.known) for each in comparisons]
    return next((name + reason for name, reason in zip(names, reasons, strict=True) if reason), "")
