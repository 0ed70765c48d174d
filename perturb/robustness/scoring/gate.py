"""Rules that a verdict must not break, for continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import regex

from perturb.errors import UsageError
from perturb.robustness.scoring.judgement import CANNOT_JUDGE
from perturb.robustness.scoring.verdict import ALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.verdict import Finding, Verdict

_MEASURES = ("drop", "difference", "low", "high", "score", "unread")
_RULE = regex.compile(
    rf"\s*(?:(?P<condition>[^<>]+?)\s*:)?\s*(?P<measure>{'|'.join(_MEASURES)})\s*"
    r"(?P<sign>[<>])\s*(?P<limit>[-+]?(?:\d+\.?\d*|\.\d+))\s*"
)


class Rule(NamedTuple):
    """One rule: where it holds, it fails.

    Attributes:
        text: as it was given.
        condition: the name of a perturbator, with its strength after an @ or as the table shows
            it, or "overall"; None for every condition and all together.
        measure: `drop`, the drop that the whole interval shows; `difference`, its estimate, `low`
            and `high`, its limits; `score`, the perturbed mean; `unread`, the percent of replies
            that were not read, refused or cut off.
        sign: "<" or ">".
        limit: what the measure is compared with.
    """

    text: str
    condition: str | None
    measure: str
    sign: str
    limit: float

    def broken(self, verdict: Verdict) -> list[str]:
        """Return in words where a verdict breaks the rule; what cannot be judged does.

        Raises:
            UsageError: the rule's condition is none of the verdict's.
        """
        found = [one for one in (*verdict.conditions, *verdict.overall) if one.scope == ALL]
        mine = [one for one in found if self.condition in (None, *_names(one))]
        if not mine:
            names = ", ".join(dict.fromkeys(_names(one)[-1] for one in found))
            raise UsageError(
                f"--fail-if {self.text!r}: no condition is so called; there are {names}"
            )
        return [failure for one in mine for failure in self._failure(one, verdict)]

    def _failure(self, finding: Finding, verdict: Verdict) -> list[str]:
        name = _names(finding)[-1]
        if finding.verdict == CANNOT_JUDGE:
            return [f"{name} cannot be judged: {finding.reason} (rule {self.text!r})"]
        value = _value(finding, self.measure, verdict.metrics[finding.metric].higher_is_better)
        if value < self.limit if self.sign == "<" else value > self.limit:
            return [f"{name}: {self.measure} is {value:.4f} (rule {self.text!r})"]
        return []


def rule_of(text: str) -> Rule:
    """Read a rule such as `drop>0.05` or `keyboard_typos@0.1: low<-0.1`.

    Raises:
        UsageError: it is written otherwise.

    Examples:
        >>> rule_of("ocr@0.2: low < -0.1")[1:]
        ('ocr@0.2', 'low', '<', -0.1)
    """
    found = _RULE.fullmatch(text)
    if found is None:
        raise UsageError(
            f"a rule is [CONDITION:] MEASURE > or < NUMBER, as in 'drop>0.05' or "
            f"'keyboard_typos@0.1: low<-0.1', with a measure out of {', '.join(_MEASURES)}; "
            f"got {text!r}"
        )
    return Rule(text, found["condition"], found["measure"], found["sign"], float(found["limit"]))


def _names(finding: Finding) -> tuple[str, ...]:
    if finding.p is None:
        return (finding.perturbator,)
    return finding.perturbator, f"{finding.perturbator}@{finding.p:g}", finding.name


def _value(finding: Finding, measure: str, higher_is_better: bool) -> float:
    compared, sure = finding.comparison, finding.comparison.uncertainty
    low, high = sure.low or 0.0, sure.high or 0.0
    quality = compared.quality
    return {
        "drop": max(0.0, -high if higher_is_better else low),
        "difference": compared.difference,
        "low": low,
        "high": high,
        "score": compared.perturbed_mean,
        "unread": quality.unread + quality.refused + quality.truncated,
    }[measure]


def markdown(broken: Sequence[tuple[Rule, Sequence[str]]]) -> str:
    """Return the rules as a list in Markdown, each with where it fails."""
    lines = []
    for rule, failures in broken:
        lines.append(f"- {'**fails**' if failures else 'passes'}: `{rule.text}`")
        lines += [f"  - {failure}" for failure in failures]
    return "\n".join(lines)


def junit(verdict: Verdict, broken: Sequence[tuple[Rule, Sequence[str]]]) -> str:
    """Return the rules as test cases, in the form of JUnit; the verdict is the suite's output."""
    failed = sum(bool(failures) for _, failures in broken)
    suite = Element("testsuite", name="perturb", tests=str(len(broken)), failures=str(failed))
    for rule, failures in broken:
        case = SubElement(suite, "testcase", classname="perturb.score", name=rule.text)
        for failure in failures:
            SubElement(case, "failure", message=failure)
    SubElement(suite, "system-out").text = verdict.sentence
    indent(suite)
    return f"{tostring(suite, encoding='unicode', xml_declaration=True)}\n"
