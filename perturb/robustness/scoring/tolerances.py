"""Tolerances as plain values, in words and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from perturb.robustness.linking.conditions import KEPT
from perturb.robustness.measures.judgement import (
    CANNOT_JUDGE,
    SYSTEMS,
    TOLERATES,
    UNDECIDED,
    of_systems,
)
from perturb.robustness.tables.formats import Shown, Table, VerdictWord, number
from perturb.robustness.tables.gate import Gated

RATIO, TIMES, UNKNOWN = "B / A", "times A", "unknown"
_SHARE = "share of "
_ANY = "\0"  # in words, the place of the steps
# Limits further apart than this call for a strength between them; grids of 1, 2, 5, 10 have
# steps of at most 2.5, and should not be told to ask more.
_FAR = 3.0


class Rung(NamedTuple):
    """The loss at one strength.

    Attributes:
        strength: a share of the units, in (0, 1], or a number of edits.
        condition: its name, as in a finding.
        loss: clean minus perturbed; where less is better, perturbed minus clean.
        low: the low limit of its 95 % interval.
        high: as `low`.
        rows: the number of perturbed rows.
    """

    strength: float
    condition: str
    loss: float
    low: float
    high: float
    rows: int


class Tolerance(NamedTuple):
    """The strength from which the loss stays at least so much, for one step and metric.

    Attributes:
        step: the perturbator, with its parameters.
        unit: that of strengths: "share of characters" or the like, "edits", or "severity"; "times
            A" of a ratio.
        system: "" of one system; of two "A", "B", and "B / A" for the ratio of both.
        metric: the name of the score.
        expect: as in a finding.
        strongest: the last strength that was asked; None of a ratio, as `originals`.
        originals: how many there are.
        reason: why it cannot be judged; "" where it can.
        verdict: "loses" if the interval has both limits; "tolerates" if all strengths lose less;
            for a ratio "B tolerates more" if the interval begins at 1 or above, "A tolerates more"
            if it ends at 1 or below; else "undecided"; or "cannot judge".
        strength: the estimate, for which the curve is straight between strengths; None where that
            much is lost before the weakest, or not by the strongest.
        low: the low limit of the 95 % interval: the last strength at which surely less is lost, 0
            for none. None where it cannot be judged, or a ratio has no limit.
        high: the first strength beyond it at which surely so much is; None for none.
        severity: that of `strength`; None if there is none, or the step has none.
        severity_low: that of `low`.
        severity_high: that of `high`.
        curve: the losses, by strength.
    """

    step: str
    unit: str
    system: str = ""
    metric: str = "score"
    expect: str = KEPT
    strongest: float | None = None
    originals: int | None = None
    reason: str = ""
    verdict: str = CANNOT_JUDGE
    strength: float | None = None
    low: float | None = None
    high: float | None = None
    severity: float | None = None
    severity_low: float | None = None
    severity_high: float | None = None
    curve: tuple[Rung, ...] = ()

    @property
    def name(self) -> str:
        """The step, behind the system where there are two."""
        return ": ".join(filter(None, (self.system, self.step)))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {**self._asdict(), "curve": [rung._asdict() for rung in self.curve]}

    def of(self, systems: Sequence[str]) -> Tolerance:
        """Return it in words for people, with the names of A and of B."""
        a, b = systems
        names = {"A": a, "B": b, RATIO: f"{b} / {a}"}
        unit, reason = f"times that of {a}" if self.system == RATIO else self.unit, self.reason
        for one, name in zip(SYSTEMS, systems, strict=True):
            if self.system == RATIO and reason.startswith(f"of {one}, "):
                reason = f"of {name}, {reason.partition(', ')[2]}"
        word = VerdictWord(of_systems(self.verdict, systems), self.verdict)
        system = names.get(self.system, self.system)
        return self._replace(system=system, unit=unit, reason=reason, verdict=word)

    def loses(self, lose: float) -> str:
        """Return the step, and how much is lost."""
        return f"{self.step}: loses {lose:g}"

    def words(self, lose: float) -> str:
        """Return the finding, in a sentence."""
        if self.reason:
            return f"Cannot judge {self.name}: {self.reason}."
        if self.strongest is None:
            undecided = self.verdict == UNDECIDED
            lead = "It is undecided which tolerates more" if undecided else self.verdict
            ratio = f"the ratio {self.system} is {self.span}"
            return f"{lead} {self.step} until {lose:g} is lost: {ratio}."
        most, low = self._amount(self.strongest), self._amount(self.low)
        if self.verdict == TOLERATES:
            return f"Less than {lose:g} is lost under {self.name} up to {most}."
        if self.verdict == UNDECIDED:
            least = f"not below {low}" if self.low else "perhaps at the weakest that was asked"
            lead = f"It is undecided at which strength {lose:g} is lost under {self.name}"
            return f"{lead}: {least}, perhaps beyond {most}."
        where, limits = f"at less than {self._amount(self.high)}", "95 %"
        if self.low:
            where = f"between {self._number(self.low)} and {self._amount(self.high)}"
        if self.strength is not None:
            limits += f"; estimate {self._number(self.strength)}"
        if self.severity is not None:
            limits += f", severity {self.severity:.1f}"
        return f"{lose:g} is lost under {self.name} {where} ({limits})."

    @property
    def span(self) -> str:
        """The estimate with its interval; beyond the strongest nothing is known."""
        if self.reason:
            return "-"
        if (self.strongest, self.strength, self.low, self.high) == (None,) * 4:
            return UNKNOWN
        if self.strongest is self.strength is None and None in (self.low, self.high):
            end = "at most" if self.low is None else "more than"  # one of two never loses as much
            return f"{end} {self._number(self.high if self.low is None else self.low)}"
        beyond = "-" if self.strongest is None else f"> {self._number(self.strongest)}"
        low, high, point = (
            beyond if each is None else self._number(each)
            for each in (self.low, self.high, self.strength)
        )
        if self.strength is None and self.high is not None and self.strongest is not None:
            point = f"< {self._number(self.curve[0].strength)}"
        return f"{point}{' %' * self.unit.startswith(_SHARE)} [{low}, {high}]"

    @property
    def stated(self) -> str:
        """The span with its unit."""
        span = self.span
        return span if span in ("-", UNKNOWN) else f"{span} {self.unit.removeprefix('share ')}"

    def gap(self) -> str:
        """Return where to ask, if the limits lie far apart and no strength between; else ""."""
        if self.low is None or self.high is None or self.strongest is None:
            return ""
        inside = any(self.low < rung.strength < self.high for rung in self.curve)
        if inside or self.high < _FAR * self.low:
            return ""
        below = f"below {self._amount(self.high)}"
        between = f"between {self._number(self.low)} and {self._amount(self.high)}"
        return (
            f"{self.name}: no strength {between if self.low else below} was asked, and a loss may "
            "come anywhere there: ask some."
        )

    def _number(self, strength: float | None) -> str:
        """Return a strength without its unit, a share in percent."""
        size = 100 if self.unit.startswith(_SHARE) else 1
        return "-" if strength is None else f"{strength * size:.3g}"

    def _amount(self, strength: float | None) -> str:
        """Return a strength with its unit, as in "1.7 % of characters" or "3 edits"."""
        percent = " %" * self.unit.startswith(_SHARE)
        return f"{self._number(strength)}{percent} {self.unit.removeprefix('share ')}"


@dataclass(frozen=True)
class Tolerances(Shown):
    """How much noise a system tolerates, by metric and step; or two systems, and the ratio of both.

    Attributes:
        steps: the tolerances; of two systems three for each step.
        lose: the loss that is asked for, in the unit of the score.
        hints: what to do next, each in one sentence.
        systems: the names of A and of B.
    """

    steps: list[Tolerance]
    lose: float
    hints: tuple[str, ...] = ()
    systems: Sequence[str] = SYSTEMS

    @property
    def results(self) -> list[Tolerance]:
        """The tolerances of one system; of two, the ratios."""
        return [step for step in self.steps if step.system in ("", RATIO)]

    @property
    def sentence(self) -> str:
        """The findings in words, step by step; steps with the same words together."""
        said: dict[str, list[str]] = {}
        for step in self.results:
            words = step.of(self.systems)._replace(step=_ANY).words(self.lose)
            said.setdefault(self._lead(step) + words, []).append(step.step)
        return " ".join(each.replace(_ANY, ", ".join(steps)) for each, steps in said.items())

    def _lead(self, step: Tolerance) -> str:
        """Return the name of a metric, where there are several."""
        return f"{step.metric}: " if len({each.metric for each in self.steps}) > 1 else ""

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        steps = [step.of(self.systems).to_dict() for step in self.steps]
        return {**super().to_dict(), "lose": self.lose, "steps": steps}

    def gated(self) -> list[Gated]:
        """Return what rules may ask of: the low limits, of steps that keep the right answer."""
        return [
            Gated(
                (step.step, self._lead(step) + step.step),
                step.expect == KEPT,
                step.reason,
                {"ratio" if step.system else "tolerance": step.low or 0.0},
            )
            for step in self.results
        ]

    def _rows(self) -> list[dict[str, Any]]:
        steps = [step.of(self.systems)._asdict() for step in self.steps]
        return [{name: step[name] for name in Tolerance._fields[:-1]} for step in steps]

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        steps = [step.of(self.systems) for step in self.steps]
        header = ("step", "of", f"loses {self.lose:g} at [95 %]", "severity", "verdict")
        cells = [
            (
                self._lead(step) + (step.system if step.strongest is None else step.name),
                step.unit.removeprefix(_SHARE),
                step.span,
                number(step.severity, ".1f"),
                step.verdict,
            )
            for step in steps
        ]
        reasons = [step.reason for step in steps]
        known = {step.of(self.systems).reason for step in self.results}
        return Table(self.sentence, header, cells, reasons, known, self.hints)
