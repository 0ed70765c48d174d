"""Rules that a verdict must not break, for continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import regex

from perturb.errors import UsageError
from perturb.robustness.linking.conditions import ABSTAIN, KEPT, REACTING
from perturb.robustness.measures.findings import ALL, Finding, Result
from perturb.robustness.measures.judgement import CONTROL
from perturb.robustness.tables.tables import RULED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.robustness.measures.findings import Findings


# Those of the table, and the limits of intervals that a rule is about in its own words.
_MEASURES = "drop", *RULED, "reaction", "invented", "tolerance", "ratio"
_BOUNDS = dict.fromkeys(("drop", "invented", "tolerance", "ratio"), "is at least")
_BOUNDS |= {"reaction": "is at most"}
_RULE = regex.compile(
    rf"\s*(?:(?P<condition>[^<>]+?)\s*:)?\s*(?P<measure>{'|'.join(_MEASURES)})\s*"
    r"(?P<sign>[<>])\s*(?P<limit>[-+]?(?:\d+\.?\d*|\.\d+))\s*(?P<percent>%?)\s*"
)
# Those that lie within 1 where scores do.
_SHARES = {name for name, one in RULED.items() if not one.title.endswith("%")}
_SHARES |= {"drop", "invented", "reaction"}
_STRENGTH = regex.compile(r"(.+) (?:p|severity|count|intensity)=(\S+)")


class Gated(NamedTuple):
    """One condition, as rules see it.

    Attributes:
        names: those that a rule may call it by; the last one is shown.
        counted: whether a rule about every condition is about it too, if it has the measure; not
            about controls, nor where it is not known what becomes of the right answer.
        reason: why it cannot be judged; "" where it can.
        values: by measure.
    """

    names: tuple[str, ...]
    counted: bool
    reason: str
    values: Mapping[str, float]


class Checked(NamedTuple):
    """A condition that a rule was asked of, and in words where it fails; "" where it passes."""

    condition: str
    failure: str


class Rule(NamedTuple):
    """One rule: where it holds, it fails.

    Attributes:
        text: as it was given.
        condition: the name of a perturbator, with its strength after an @ or as the table shows
            it, or "overall"; None for every condition and all together.
        measure: `drop`, the drop that the whole interval shows; `difference`, its estimate, `low`
            and `high`, its limits; `score`, the perturbed mean; `unread`, the percent of replies
            that are lost in any way; `reaction`, where the answers should change and
            there alone, the largest that the interval allows; `invented`, where nobody can know the
            answer, the least share of others that the interval allows. Of two systems there are the
            first four and `reaction`, of the difference between them. Of a step there is
            `tolerance`, the low limit of the strength from which so much is lost; of a step and two
            systems `ratio`, the low limit of the tolerance of B over that of A.
        sign: "<" or ">".
        limit: what the measure is compared with.
    """

    text: str
    condition: str | None
    measure: str
    sign: str
    limit: float

    def checked(self, conditions: Sequence[Gated]) -> list[Checked]:
        """Return the conditions that the rule is about; what cannot be judged breaks it.

        Raises:
            UsageError: the rule's condition, or its measure, is none of them; or its limit is a
                percentage, and the scores lie between 0 and 1.
        """
        if self.measure in _SHARES and abs(self.limit) > 1:
            scores = [each.values["score"] for each in conditions if "score" in each.values]
            if scores and max(map(abs, scores)) <= 1:
                raise _percentage(self.text, self.measure, self.sign, self.limit)
        named = [each for each in conditions if self.condition in (None, *each.names)]
        about = [
            condition
            for condition in named
            if self.measure in condition.values and (self.condition or condition.counted)
        ]
        if not named:
            known = dict.fromkeys(condition.names[-1] for condition in conditions)
            problem = f"no condition is so called; there are {', '.join(known)}"
            raise UsageError(f"--fail-if {self.text!r}: {problem}")
        if not about:
            known = dict.fromkeys(name for each in named for name in each.values)
            which = f"there is no {self.measure} of it"
            if self.condition is None:
                which = f"no condition has a {self.measure} to judge"
            raise UsageError(f"--fail-if {self.text!r}: {which}; there are {', '.join(known)}")
        return [Checked(condition.names[-1], self._failure(condition)) for condition in about]

    def _failure(self, condition: Gated) -> str:
        name = condition.names[-1]
        if condition.reason:
            return f"{name} cannot be judged: {condition.reason} (rule {self.text!r})"
        value = condition.values[self.measure]
        if value < self.limit if self.sign == "<" else value > self.limit:
            verb = _BOUNDS.get(self.measure, "is")
            return f"{name}: {self.measure} {verb} {value:.4f} (rule {self.text!r})"
        return ""


def rule_of(text: str, *, shares: bool = False) -> Rule:
    """Read a rule such as `drop>0.05` or `keyboard_typos@0.1: low<-0.1`.

    Args:
        text: the rule.
        shares: whether all scores lie between 0 and 1.

    Raises:
        UsageError: it is written otherwise; or no score can reach its limit.

    Examples:
        >>> rule_of("ocr@0.2: low < -0.1")[1:]
        ('ocr@0.2', 'low', '<', -0.1)
    """
    parts = _RULE.fullmatch(text)
    if parts is None:
        raise UsageError(
            f"a rule is [CONDITION:] MEASURE > or < NUMBER, as in 'drop>0.05' or "
            f"'keyboard_typos@0.1: low<-0.1', with a measure out of {', '.join(_MEASURES)}; "
            f"got {text!r}"
        )
    measure, sign, limit = parts["measure"], parts["sign"], float(parts["limit"])
    if parts["percent"] or (shares and measure in _SHARES and abs(limit) > 1):
        raise _percentage(text, measure, sign, limit)
    if (measure, sign) == ("drop", "<"):
        limit_text = parts["limit"]
        raise UsageError(f"a rule says when to fail: write 'drop>{limit_text}'; got {text!r}")
    return Rule(text, parts["condition"], measure, sign, limit)


def _percentage(text: str, measure: str, sign: str, limit: float) -> UsageError:
    """Return the error for a limit in percent, or in points, where a share is meant."""
    share = f"{limit:g} points are {limit / 100:g} of scores between 0 and 1"
    return UsageError(f"{share}: write '{measure}{sign}{limit / 100:g}'; got {text!r}")


def gated(findings: Findings[Result]) -> list[Gated]:
    """Return what rules may ask of; of two systems a drop is what B loses and A does not."""
    return [
        gated_finding(finding, findings.metrics[finding.metric].higher_is_better)
        for finding in (*findings.conditions, *findings.overall)
        if finding.scope == ALL
    ]


def gated_finding(finding: Result, higher_is_better: bool) -> Gated:
    """Return what rules may ask of one finding."""
    low, high = finding.low or 0.0, finding.high or 0.0
    reacts, alone = finding.expect in REACTING, isinstance(finding, Finding)
    if reacts:
        values = (
            {"invented": 1 - high} if finding.expect == ABSTAIN and alone else {"reaction": high}
        )
    else:
        known = {name: one for name, one in RULED.items() if alone or one.of_contrasts}
        values = {name: sum(one.of(finding)) for name, one in known.items()}  # 0 for none
        values["drop"] = max(0.0, -high if higher_is_better else low)
    # By its perturbator, with the strength after an @, and as it is shown.
    parts = _STRENGTH.fullmatch(finding.name)
    names = (parts[1], f"{parts[1]}@{parts[2]}", finding.name) if parts else (finding.name,)
    counted = finding.verdict != CONTROL and (reacts or finding.expect == KEPT)
    return Gated(names, counted, finding.reason, values)


def markdown(rules: Sequence[tuple[Rule, Sequence[Checked]]]) -> str:
    """Return the rules as a list in Markdown, each with where it fails."""
    lines = []
    for rule, checked in rules:
        failures = [f"  - {condition.failure}" for condition in checked if condition.failure]
        lines += [f"- {'**fails**' if failures else 'passes'}: `{rule.text}`", *failures]
    return "\n".join(lines)


def junit(
    command: str,
    sentence: str,
    rules: Sequence[tuple[Rule, Sequence[Checked]]],
    conditions: Sequence[Gated],
    hints: Sequence[str] = (),
) -> str:
    """Return a test case for each rule and condition, in the form of JUnit.

    The sentence and the hints are the output of the suite. A condition that no rule is about is a
    skipped case.
    """
    suite = Element("testsuite", name="perturb")
    group = command.replace(" ", ".")
    for rule, checked in rules:
        for condition in checked:
            name = f"{rule.text} ({condition.condition})"
            case = SubElement(suite, "testcase", classname=group, name=name)
            if condition.failure:
                SubElement(case, "failure", message=condition.failure)
    asked = {condition.condition for _, checked in rules for condition in checked}
    for name in dict.fromkeys(condition.names[-1] for condition in conditions):
        if name not in asked:
            case = SubElement(suite, "testcase", classname=group, name=name)
            SubElement(case, "skipped", message="no rule is about it")
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    SubElement(suite, "system-out").text = "\n".join([sentence, *hints])
    indent(suite)
    return f"{tostring(suite, encoding='unicode', xml_declaration=True)}\n"
