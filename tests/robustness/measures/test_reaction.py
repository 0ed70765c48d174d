"""Reactions where the answers should change: by hand, and of systems that must not pass."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.robustness import bounded_interval, bounded_test, compare, score
from perturb.robustness.measures.obstacles import more_originals
from perturb.robustness.tables.gate import gated, rule_of

TYPO, MANY = ((4, 5, "m"),), ((0, 1, "k"), (4, 5, "m"), (7, 8, "b"), (9, 10, "q"), (11, 12, "z"))
TEXT = "clean text to read"


@pytest.fixture
def asked(linked):
    """Rows of originals with the answer "a", and what a function says to those of each condition.

    Names begin with what becomes of the answer; `edits` by name are not one each.
    """

    def asked(originals, edits=None, **answers):
        rows = [{"id": str(at), "answer": "a", "prediction": "a"} for at in range(originals)]
        for name, said in answers.items():
            kind = name.partition("_")[0]
            expect = kind if kind in ("other", "unknown") else "same"
            step = {"steps": "identity@1", "condition": "identity"} if kind == "identity" else {}
            rows += [
                linked(
                    at, name, expect=expect, original=TEXT, edits=(edits or {}).get(name, TYPO),
                    status="no site" if step else "changed", answer="a", prediction=said(at), **step,
                )
                for at in range(originals)
            ]  # fmt: skip
        return rows

    return asked


def found(rows, name="other", **settings):
    verdict = score(rows, **settings)
    (one,) = [
        each
        for each in verdict.conditions
        if each.scope == "all" and each.perturbator.startswith(name)
    ]
    return one


def share(percent):
    return lambda at: "b" if 7 * at % 100 < percent else "a"


def test_a_control_whose_rows_are_missing_is_none_and_warns_of_nothing(asked):
    """Warnings are errors in tests; of the originals that should react, the control has no row."""
    rows = [
        row
        for row in asked(40, other=share(60), typos=share(10), unknown=share(0))
        if row["id"].partition("#")[0] in map(str, range(5)) or "#other" not in row["id"]
        if row["id"].partition("#")[0] not in map(str, range(15)) or "#typos" not in row["id"]
    ]
    one = found(rows)
    assert (one.verdict, one.reaction.control) == ("cannot judge", "")


def test_the_reaction_is_what_changes_beyond_the_control(asked):
    one = found(asked(200, other=share(60), typos=share(10), identity=share(5)))
    assert (one.verdict, one.expect, one.reaction.control) == ("sensitive", "other", "typos p=0.1")
    assert one.reaction.answers_changed == pytest.approx(0.6)
    assert one.difference == one.reaction.reaction == pytest.approx(0.5)
    each = np.array([share(60)(at) == "b" for at in range(200)], float)
    each -= [share(10)(at) == "b" for at in range(200)]
    assert (one.low, one.high) == pytest.approx(tuple(bounded_interval(each, np.arange(200))))


@pytest.mark.parametrize(
    ("followed", "verdict"),
    [(60, "sensitive"), (16, "undecided"), (5, "insensitive")],
)
def test_the_words_follow_the_interval(asked, followed, verdict):
    assert found(asked(200, other=share(followed), typos=share(2))).verdict == verdict


@pytest.mark.slow
def test_at_least_moves_them_and_stands_in_the_sentence(asked):
    rows = asked(200, other=share(40), typos=share(2))
    for least, word in ((0.1, "sensitive"), (0.35, "undecided"), (0.6, "insensitive")):
        verdict = score(rows, at_least=least)
        assert verdict.conditions[0].verdict == word
        assert f"A reaction of at least {least:g} counts: 0.400 of" in verdict.sentence
        assert verdict.to_dict()["at_least"] == least


@pytest.mark.slow
def test_a_control_has_as_many_edits_and_no_more_than_needed(asked):
    edits = {"heavy": MANY, "other": TYPO}
    rows = asked(100, edits, heavy=share(30), light=share(10), other=share(90))
    assert found(rows).reaction.control == "light p=0.1"
    rows = asked(100, {"other": MANY}, light=share(10), other=share(90), identity=share(0))
    one = found(rows)
    assert (one.reaction.control, one.verdict) == ("identity", "cannot judge")
    advice = "perturb also by what keeps the answer, with as many edits (5.0 a row), such as "
    assert one.reason.endswith(f"{advice}keyboard_typos:count=5")
    for count, verdict in ((2, "insensitive"), (3, "cannot judge")):  # twice as many hide nothing
        one = found(asked(100, {"heavy": MANY[:count]}, heavy=share(30), other=share(30)))
        assert one.verdict == verdict
    one = found(asked(100, edits, heavy=share(30), other=share(30)))
    assert (one.verdict, one.reaction.control) == ("cannot judge", "heavy p=0.1")
    assert one.reason.startswith("the 5.0 edits a row of heavy p=0.1 may hide a reaction: perturb")


@pytest.mark.slow
def test_who_never_changes_an_answer_has_nothing_to_hide(asked):
    """Beside a control of many edits; where few answers change under that, few can be hidden."""
    for changed, verdict in ((0, "insensitive"), (2, "insensitive"), (9, "cannot judge")):
        rows = asked(200, {"heavy": MANY}, heavy=share(changed), other=share(changed))
        assert found(rows).verdict == verdict


@pytest.mark.slow
def test_numbers_that_the_match_calls_the_same_are_no_change(asked):
    """All numbers move under typos, by less than is told apart; with the right one or without."""

    def said(by):
        return lambda at: str(7 + by * (at % 2 or 0.1))

    rows = [{**row, "answer": "7", "prediction": row["prediction"].replace("a", "7")}
            for row in asked(200, other=said(3), typos=said(0.2))]  # fmt: skip
    for how in ({}, {"against": "original"}):
        one = found(rows, match="close:0.5", **how)
        assert (one.reaction.answers_changed, one.reaction.control_changed) == (0.5, 0)
        assert one.verdict == "sensitive"
        assert found(rows, "typos", match="close:0.5", **how).comparison.consistency == 100


def test_refusals_and_replies_that_never_came_tell_nothing(asked):
    """A system that refuses whatever is odd may have read it, or not."""
    rows = asked(100, other=lambda _: "I'm sorry, I can't help with that.", typos=share(0))
    one = found(rows)
    assert one.reaction.reaction is None
    assert (one.verdict, one.reason) == (
        "cannot judge",
        "100 % of the perturbed replies are refusals",
    )
    rows = asked(100, other=lambda at: None if at % 10 else "ab"[at % 20 == 0], typos=share(0))
    one = found(rows)
    assert (one.reaction.answers_changed, one.reaction.reacting) == (0.5, 10)
    assert (one.reaction.reaction_least, one.reaction.reaction_most) == pytest.approx((0.05, 0.95))
    assert one.low < 0.05 < 0.95 < one.high
    assert one.reason.startswith("90 % of the perturbed replies are without a reply or score: ")
    rows = asked(100, other=lambda at: None if at < 2 else "b", typos=share(0))
    assert found(rows).verdict == "sensitive"  # whatever the two would have said


def test_where_all_answers_change_anyway_nothing_is_told(asked):
    one = found(asked(100, other=share(90), typos=share(90)))
    assert (one.verdict, one.reason) == (
        "cannot judge",
        "90 % of the answers change under typos p=0.1 too",
    )


def test_unknown_asks_for_an_expectation(asked):
    one = found(asked(50, unknown=share(50), typos=share(0)), "unknown")
    assert one.verdict == "cannot judge"
    assert "perturbed, with --expect LABEL=same, mapped, other or abstain" in one.reason


SYSTEMS = {
    "constant": lambda *_: 0,
    "coin": lambda at, name, answers: np.random.default_rng([at, len(name)]).integers(answers),
    "hash": lambda at, name, answers: hashlib.md5(f"{at}{name}".encode()).digest()[0] % answers,
}


@pytest.mark.slow
@pytest.mark.parametrize("answers", [2, 10])
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("controls", [("typos",), ("identity",), ("typos", "identity"), ()])
def test_who_reads_nothing_is_never_sensitive_nor_robust(linked, system, answers, controls):
    """300 originals; who hashes says to a text that is asked again what it said before."""

    def said(at, name):
        same = system == "hash" and name == "identity"
        return str(SYSTEMS[system](at, "" if same else name, answers))

    rows = [{"id": str(at), "answer": "0", "prediction": said(at, "")} for at in range(300)]
    for name in ("other", *controls):
        more = {"steps": "identity@1", "status": "no site"} if name == "identity" else {}
        rows += [
            linked(at, name, answer="0", prediction=said(at, name),
                   expect="other" if name == "other" else "same", **more)
            for at in range(300)
        ]  # fmt: skip
    one = found(rows)
    assert one.verdict in ("insensitive", "undecided", "cannot judge")


def contrast(a, b, **settings):
    """What a comparison finds where the answers should change, and its sentence."""
    verdict = compare(a, b, **settings)
    (one,) = [each for each in verdict.conditions if each.condition.startswith("other")]
    return one, verdict.sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b", "verdict", "said"),
    [
        (30, 80, "B reacts more", "B reacts more than A under other p=0.1 (+0.500). "),
        (80, 30, "A reacts more", "A reacts more than B under other p=0.1 (-0.500). "),
        (30, 30, "same reaction", "A and B react the same under other p=0.1 (+0.000). "),
        (30, 34, "B reacts no less", "B reacts no less than A under other p=0.1 (+0.040). "),
        (34, 30, "undecided", "Undecided under other (expect other). "),
    ],
)
def test_two_systems_differ_by_what_they_react_more(asked, a, b, verdict, said):
    systems = [asked(100, other=share(each), typos=share(5)) for each in (a, b)]
    one, sentence = contrast(*systems, margin=0.05)
    assert (one.verdict, one.control, one.a_holds) == (verdict, "typos p=0.1", None)
    beside = [each.difference for each in map(found, systems)]
    assert [one.change_a, one.change_b] == pytest.approx(beside)
    each = np.array([(share(b)(at) == "b") - (share(a)(at) == "b") for at in range(100)], float)
    assert (one.low, one.high) == pytest.approx(tuple(bounded_interval(each, np.arange(100))))
    assert one.p_adjusted == pytest.approx(bounded_test(each, np.arange(100)))
    assert said in sentence
    beside = " Reactions are the share of answers that change, less that under typos p=0.1."
    more = f" About {one.more_originals} more originals would decide the reaction." * (
        verdict == "undecided"
    )
    assert sentence.endswith(beside + more)


@pytest.mark.parametrize(
    ("others", "controls", "said"),
    [
        ({"other": 16}, {"typos": 2}, ". About {} more originals would decide the reaction."),
        ({"other": 16, "other_2": 14}, {"typos": 2}, ". About {} more originals would decide all "),
        ({"other": 16}, {"identity": 0}, "originals)."),  # beside which nothing is sensitive
        ({"other": 16, "other_2": 5}, {"identity": 0}, "beyond that under identity."),
        ({"other": 5}, {"identity": 0}, "originals). About {} more originals would decide the"),
    ],
)
def test_undecided_reactions_say_how_many_more_originals_would_decide(
    asked, others, controls, said
):
    """As many as make the interval narrower than the way to R, for a power of .8."""
    rows = asked(60, **{name: share(each) for name, each in {**others, **controls}.items()})
    verdict = score(rows)
    reactions = [one for one in verdict.conditions if one.reaction.reaction is not None]
    assert {one.verdict for one in reactions} == {"undecided"}
    counts = [one.more_originals for one in reactions]
    for one, more in zip(reactions, counts, strict=True):
        if more is not None:
            away, limits = one.difference - 0.1, (one.low - 0.1, one.high - 0.1)
            assert more == more_originals((away, away), limits, (60, 60), 0.0)
    assert said.format(*(f"{max(counts):,}" for _ in counts[:1] if counts[0])) in verdict.sentence
    assert ("more originals" in verdict.sentence.partition("counts:")[2]) == (counts[0] is not None)


@pytest.mark.slow
def test_who_reacts_more_ranks_first_also_where_less_of_a_score_is_better(asked):
    sides = {name: asked(100, other=share(each), typos=share(5)) for name, each in
             (("deaf", 10), ("keen", 80))}  # fmt: skip
    for rows in sides.values():
        for row in rows:
            row["distance"] = float(row["prediction"] == "b")
    for better in (True, False):
        metrics = {"distance": {"threshold": 0.5, "higher_is_better": better}}
        ranked = compare(dict(sides), metrics=metrics).conditions
        first = [one.system for one in ranked if one.condition.startswith("other")]
        assert first == ["keen", "deaf"]


@pytest.mark.slow
def test_originals_of_one_system_alone_move_no_reaction(asked):
    """Each system's originals are counted by itself; those that both have pair up all the same."""
    a, b = (asked(100, other=share(each), typos=share(5)) for each in (30, 60))
    more = asked(160, other=share(60), typos=share(5))
    some = [row for row in more if int(row["id"].partition("#")[0]) >= 100]
    whole, _ = contrast(a, b)
    for first, second in ((a, b + some), (a + some, b)):
        one, _ = contrast(first, second)
        assert one == whole._replace(rows=one.rows)
        assert one.rows == 100


REFUSED = "I'm sorry, I can't help with that."


@pytest.mark.parametrize(
    ("beside", "b", "edits", "reason"),
    [
        ("identity", share(80), {}, "of A, beside identity the reaction is +0.300, but any edit"),
        ("", share(80), {}, "of A, beside no control the reaction is +0.300, but any"),
        ("typos", lambda _: REFUSED, {}, "of B, 100 % of the perturbed replies are refusals"),
        ("typos", share(80), {"typos": MANY}, "the 5.0 edits a row of typos p=0.1 may hide a"),
    ],
)
def test_two_reactions_that_cannot_be_judged_say_why(asked, beside, b, edits, reason):
    control = {beside: share(0)} if beside else {}
    systems = [asked(100, edits, other=each, **control) for each in (share(30), b)]
    one, sentence = contrast(*systems)
    assert one.verdict == "cannot judge"
    assert one.reason.startswith(reason)
    assert reason in sentence


def test_where_one_system_changes_all_answers_anyway_two_are_not_compared(asked):
    systems = [asked(100, other=share(90), typos=share(each)) for each in (5, 90)]
    one, _ = contrast(*systems)
    assert one.reason == "of B, 90 % of the answers change under typos p=0.1 too"


def test_where_nothing_was_changed_two_systems_have_no_reaction(asked):
    rows = asked(100, typos=share(5))
    few = [row for row in asked(1, other=share(0)) if "perturbation" in row]
    one, _ = contrast(rows + few, rows + few)
    assert (one.verdict, one.reason) == ("cannot judge", "at most one original was changed")


@pytest.mark.slow
def test_a_rule_sees_what_two_reactions_allow(asked):
    systems = [asked(100, other=share(each), typos=share(5)) for each in (80, 30)]
    one, _ = contrast(*systems)
    values = {each.names[-1]: each.values for each in gated(compare(*systems))}
    assert values["other p=0.1 (expect other)"] == {"reaction": one.high}
    (checked,) = rule_of("reaction<0").checked(gated(compare(*systems)))
    assert checked.failure.startswith("other p=0.1 (expect other): reaction is at most -0.3")


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_the_reaction_is_a_difference_of_shares(changed):
    """Within [-1, 1], within its interval, and turned round where the two change places."""
    one, other = (np.array(each, float) for each in zip(*changed, strict=True))
    interval = bounded_interval(one - other, np.arange(one.size))
    assert -1 <= interval.low <= (one - other).mean() <= interval.high <= 1
    turned = bounded_interval(other - one, np.arange(one.size))
    assert tuple(turned) == pytest.approx((-interval.high, -interval.low))


@pytest.mark.slow
def test_a_rule_sees_the_largest_that_the_interval_allows(asked):
    rows = asked(200, other=share(60), typos=share(10))
    values = {each.names[-1]: each.values for each in gated(score(rows))}
    assert values["other p=0.1 (expect other)"] == {"reaction": found(rows).high}
    assert "reaction" not in values["overall"]
