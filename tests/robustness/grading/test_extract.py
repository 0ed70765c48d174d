r"""From what a system said to its answer: tables of cases."""

import sys

import pytest

from perturb.errors import UsageError
from perturb.robustness.grading import extract
from perturb.robustness.grading.extract import boxed, extractor, graded, normal

BOXED = [
    (r"So the answer is \boxed{42}.", "42"),
    (r"\boxed{1} or rather \boxed{2}", "2"),
    (r"$\boxed{\frac{1}{2}}$", r"\frac{1}{2}"),
    (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
    (r"\boxed{\text{a {nested} one}} }", r"\text{a {nested} one}"),
    (r"\boxed {7}", "7"),
    (r"\fbox{7}", "7"),
    ("\\boxed{\n  B\n}", "B"),
    (r"\boxed{}", None),
    (r"\boxed{ }", None),
    (r"\boxed{3", None),
    (r"\boxed{1} then cut off: \boxed{2", "1"),
    ("boxed{3}", None),
    ("", None),
]


@pytest.mark.parametrize(("said", "answer"), BOXED)
def test_boxed(said, answer):
    assert boxed(said) == answer


def test_boxed_is_fast_on_what_never_closes():
    """Linear: a backtracking pattern would not end."""
    assert boxed(r"\boxed{" + "{" * 50_000) is None
    assert boxed(r"\boxed{" * 20_000) is None


RULES = [
    (["number"], "It costs $1,200.50 in all.", "1200.5"),
    (["number"], "none", None),
    (["choice"], "I think the answer is (B).", "B"),
    (["choice"], "Hm.", None),
    (["regex:final: (.*)"], "final: a\nno, final: b", "b"),
    (["regex:(?<=is )\\w+"], "it is so", "so"),
    (["regex:x"], "y", None),
    (["boxed", "choice"], r"Answer: C, that is \boxed{D}", "D"),
    (["boxed", "choice"], "Answer: C", "C"),
    (["boxed", "number"], "no answer", None),
]


@pytest.mark.parametrize(("rules", "said", "answer"), RULES)
def test_rules(rules, said, answer):
    assert extractor(rules)(said) == answer


@pytest.mark.parametrize("rule", ["box", "regex", "regex:(", "number:2", ""])
def test_rules_that_are_none(rule):
    with pytest.raises(UsageError):
        extractor([rule])


NORMAL = [
    ("42", "42"),
    ("042", "42"),
    ("42.0", "42"),
    ("42.", "42"),
    (" $42$ ", "42"),
    (r"\(42\)", r"\(42\)"),
    ("1,200", "1200"),
    ("12,00", "12"),
    ("-0.50", "-0.5"),
    ("+3", "3"),
    (".5", "0.5"),
    ("$9.50", "9.5"),
    (r"\$9.50", "9.5"),
    ("50%", "50"),
    (r"50\%", "50"),
    ("1/2", "0.5"),
    (r"\frac{1}{3}", "1/3"),
    (r"-\dfrac{2}{6}", "-1/3"),
    ("1/0", "1/0"),
    (r"90^\circ", "90"),
    (r"90^{\circ}", "90"),
    (r"\text{Paris}", "Paris"),
    ("the  river\n Seine", "the river Seine"),
    ("(B)", "B"),
    ("B.", "B"),
    ("x", "x"),
    (r"\left( 1, 2 \right)", "(1,2)"),
    ("(1, 2)", "(1,2)"),
    (r"\frac34", "0.75"),
    (r"\tfrac{3}4", "0.75"),
    ("x=5", "5"),
    (r"5\text{ cm}", "5"),
    ("1e3", "1000"),
    ("", ""),
    ("9" * 301, "9" * 301),
]


@pytest.mark.parametrize(("answer", "plain"), NORMAL)
def test_one_notation(answer, plain):
    assert normal(answer) == plain
    assert normal(plain) == plain


GRADED = [
    (r"\boxed{1,200}", "1200", "1200", True),
    (r"\boxed{\frac{1}{2}}", "0.5", "0.5", True),
    (r"\boxed{0.5}", r"\frac12", "0.5", True),
    (r"\boxed{\$5}", "5", "5", True),
    (r"\boxed{0.333}", "1/3", "0.333", False),
    (r"\boxed{b}", "B", "B", True),
    (r"\boxed{\text{(B) a dolphin}}", "B", "B", True),
    (r"\boxed{B. a dolphin}", "B", "B", True),
    (r"\boxed{C}", "B", "C", False),
    (r"\boxed{dolphin}", "B", "dolphin", False),
    (r"\boxed{X}", "x", "X", False),
    (r"\boxed{paris}", "Paris", "paris", False),
    ("nothing", "4", None, False),
    (None, "4", None, False),
]


@pytest.mark.parametrize(("said", "expected", "answer", "correct"), GRADED)
def test_grades(said, expected, answer, correct):
    assert graded(said, expected, boxed) == (answer, correct)


@pytest.mark.parametrize(
    ("said", "expected", "equal"),
    [
        (r"\sqrt{8}", r"2\sqrt{2}", True),
        ("2x+1", "1+2x", True),
        ("x^2-1", "(x-1)(x+1)", True),
        ("10^{3}", "1000", True),
        ("a-b", "b-a", False),
        ("2x + 1", "2x", False),
        ("(1,2)", "(2,1)", False),
        ("12", "21", False),
        ("listen", "silent", False),
        (r"\text{no-one}", "none", False),
        ("C-", "C", False),
    ],
)
def test_formulas_are_compared_as_mathematics(said, expected, equal):
    pytest.importorskip("math_verify")
    assert graded(rf"\boxed{{{said}}}", expected, boxed)[1] == equal


def test_formulas_are_compared_as_text_without_a_library(monkeypatch):
    extract._by_math.cache_clear()
    monkeypatch.setitem(sys.modules, "math_verify", None)
    assert not graded(r"\boxed{2x+1}", "1+2x", boxed)[1]
    assert graded(r"\boxed{2x+1}", "2x+1", boxed)[1]
