import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.errors import UsageError
from perturb.robustness.grading import powers
from perturb.robustness.grading.powers import is_too_long
from perturb.robustness.grading.ways import WAYS, match_of

SCORES = [
    ("exact", "Paris", "paris", 0),
    ("normalized", "The  Paris.", "paris", 1),
    ("normalized", None, "paris", 0),
    ("contains", "It is Paris, in France.", "paris", 1),
    ("contains", "Parisian", "paris", 0),
    ("number", "so 1,200.0", "1200", 1),
    ("number", r'{"answer": 5, "why": "Z\u00fcrich has\n2."}', "5", 1),
    ("number", r'{"answer": "\\boxed{5} of 2", "why": "3"}', "5", 1),
    ("number", '{"answer": null, "final_answer": "5", "why": "2"}', "5", 1),
    ("number", '{"answer": "five eggs", "why": "2"}', "5", 1),
    ("f1", "the cat sat", "a cat sat down", 0.8),
    ("f1", "dog", "cat", 0),
    ("rouge-l", "cat the sat down", "cat sat on mat", 0.5),
    ("rouge-l", "кот спит", "Кот спит.", 1),
    ("set", "red, green and blue", "Blue; red; green", 1),
    ("set", "red", "red, blue", 0),
    ("normalized", "-5", "5", 0),
    ("normalized", "\u22125", "-5", 1),
    ("normalized", "3.5", "35", 0),
    ("normalized", "3.5.", "3.5", 1),
    ("normalized", "1,000", "1000", 1),
    ("normalized", "well-known", "wellknown", 1),
    ("normalized", "ÉTE\u0301", "été", 1),
    ("normalized", "STRASSE", "Straße", 1),
    ("normalized", "\u2167", "viii", 1),
    ("normalized", "東京。", "東京", 1),
    ("normalized", "The", "a", 0),
    ("normalized", "It's", "its", 1),
    ("contains", "3.5 kg", "35", 0),
    ("contains", "It is 5 kg.", "5", 1),
    ("contains", "It is -5.", "5", 0),
    ("set", "a, b", "b", 0),
    ("set", "1.5, 2", "2; 1.5", 1),
    ("set", "15, 2", "1.5, 2", 0),
    ("set", "-1, 2", "1, 2", 0),
    ("set", "[1, 2]", "{2, 1}", 1),
    ("set", "x, x", "x", 1),
    ("regex:ANSWER (\\d+)", "ANSWER 1, no: ANSWER 2", "2", 1),
    ("regex:ANSWER (\\d+)", "2", "2", 0),
]


@pytest.mark.parametrize(("way", "said", "right", "value"), SCORES)
def test_ways(way, said, right, value):
    assert match_of(way)(said, right)[0] == pytest.approx(value)


# What is said, the right answer, and whether they are equal as mathematics.
MATHEMATICS = [
    (r"\frac34", "0.75", 1),
    (r"\dfrac{3}{4}", r"\frac{3}{4}", 1),
    (r"\boxed{\frac{3}{4}}", "3/4", 1),
    (r"\frac43", "0.75", 0),
    ("1/3", "0.333", 0),
    ("(1,2)", "(1, 2)", 1),
    ("(2,1)", "(1,2)", 0),
    (r"\{1,2\}", r"\{2,1\}", 1),
    ("[1,2)", "[1, 2)", 1),
    ("(1,2]", "[1,2)", 0),
    ("x=5", "5", 1),
    ("5", "x=5", 1),
    ("x=6", "5", 0),
    (r"5\text{ cm}", "5", 1),
    (r"\boxed{5\ \text{cm}^2}", "5", 1),
    (r"5 \mathrm{~cm}", "5", 1),
    (r"so \boxed{\$5}", "5", 1),
    (r"\$5", "5", 1),
    (r"50\%", "50", 1),
    ("0.5", "50%", 1),
    ("-3", "-3", 1),
    ("\u22123", "-3", 1),
    ("3", "-3", 0),
    ("1,000", "1000", 1),
    ("1{,}000", "1000", 1),
    (r"1\,000", "1000", 1),
    (r"\boxed{\sqrt{12}}", r"2\sqrt{3}", 1),
    (r"\sqrt{12}", r"3\sqrt{2}", 0),
    (r"\frac{1}{\sqrt2}", r"\frac{\sqrt2}{2}", 1),
    ("x^2+2x+1", "(x+1)^2", 1),
    ("$2x+3$", "3+2x", 1),
    ("3+4i", "4i+3", 1),
    (r"2\pi", r"2\pi", 1),
    (r"\pi", "3.14159", 0),
    ("10^3", "1000", 1),
    (r"\log_2 8", "3", 1),
    (r"\sin 0", "0", 1),
    (r"90^\circ", "90", 1),
    (r"-\infty", r"\infty", 0),
    (r"x\geq 3", r"x \ge 3", 1),
    ("**18**", "18", 1),
    ("The answer is __18__.", "18", 1),
    ("`18`", "18", 1),
    ("**18**/20", "0.9", 1),
    ("2**3", "8", 1),
    ("The answer is \u22125.", "-5", 1),
    ("1e3", "1000", 1),
    ("The answer is **1e3**.", "1000", 1),
    ("It is `2.5e-1`, a quarter", "0.25", 1),
    ("2.5 billion", "2.5 million", 0),
    ("That makes $2.5 million.", "2500000", 1),
    ("1 1/2", "1.5", 1),
    ("1,5", "1.5", 1),
    ("1,5", "5", 0),
    ("**19**", "18", 0),
    ("x>3", "3<x", 1),
    ("x>3", "x<3", 0),
    (
        r"\begin{pmatrix}1\\2\end{pmatrix}",
        r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}",
        1,
    ),
    (r"\text{Paris}", "Paris", 1),
    ("Paris", r"\text{London}", 0),
    ("The answer is $5$.", "5", 1),
    ("so 5", "5", 1),
    ("Therefore, the answer is 18 dollars.", "18", 1),
    ("She makes $18 per day.", "18", 1),
    ('{"answer": "1/2", "why": "of 3 eggs"}', "0.5", 1),
    ("11_2", "11_3", 0),
    (r"In base 2 it is $1011_{\text{2}}$.", "1011_2", 1),
    ("1A_{16}", "26_{10}", 1),
    ("1011", "1011_2", 1),
    ("18", "19", 0),
    ("no idea", "5", 0),
    ("", "5", 0),
    (None, "5", 0),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("said", "right", "value"), MATHEMATICS)
def test_mathematics(said, right, value):
    pytest.importorskip("math_verify")
    assert match_of("math")(said, right)[0] == value


LINES = Path(__file__).with_name("math_replies.jsonl").read_text("utf-8").splitlines()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("said", "right", "value"), [*map(json.loads, LINES)])
def test_quantities_as_mathematics(said, right, value):
    """As above; null if the reply isn't read. Answers are equal in both directions."""
    pytest.importorskip("math_verify")
    score, answer = match_of("math")(said, right)
    assert score == match_of("math")(right, said)[0] == (value or 0)
    assert value is not None or answer is None


UNITS = [
    " km",
    " m",
    r"\text{ cm}",
    r"\text{ cm}^2",
    r"\mathrm{~kg}",
    " hours",
    "%",
    r"^\circ",
    " mph",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("number", ["5", r"\frac{3}{4}", r"2\sqrt{3}", "2.5 million"])
def test_formulas_with_different_units_are_never_equal(number):
    pytest.importorskip("math_verify")
    math = match_of("math")
    for at, unit in enumerate(UNITS):
        assert math(f"${number}{unit}$", number + unit)[0] == 1
        for other in UNITS[:at]:
            assert math(number + unit, number + other)[0] == 0
            assert math(number + unit, rf"so \boxed{{{number}{other}}}")[0] == 0


@pytest.mark.parametrize(
    "formula",
    ["x^{y^{z}}", r"e^{-\frac{x^{2}}{2\sigma^{2}}}", "2^{10^3}", "2024^{2023}", "(x+1)^{1000}",
     r"\binom{100}{50}", "it is 18!", "**19**", r"20^{\circ}", r"\sum_{k=1}^{n} k^2", "3^2^2"],
)  # fmt: skip
def test_what_people_write_is_short_enough_to_compute(formula):
    assert not is_too_long(formula)


@pytest.mark.parametrize(
    "formula",
    ["2^{%s}", "2**%s", "{(2)}^%s", "2^{10*%s}", "(2^{%s})^{1}", r"3^{\left(1+%s\right)}", "2^{%se0}",
     r"\binom{%s}{2}", "%s!", r"\sum_{k=1}^{%s} k", "2^{-%s}", r"2^{\text{%s}}", "a + 1,%s^{999}"],
)  # fmt: skip
def test_a_long_number_is_known_before_it_is_computed(monkeypatch, formula):
    """With a lower limit than that of use, so that no number here is long."""
    monkeypatch.setattr(powers, "MOST_DIGITS", 4000)
    assert is_too_long(formula % "20000")
    assert not is_too_long(formula.replace("999", "2") % "3")


def test_a_reply_with_a_long_number_is_not_parsed(monkeypatch):
    library = pytest.importorskip("math_verify")
    monkeypatch.setattr(library, "parse", lambda way, **_: [way])
    monkeypatch.setattr(library, "verify", lambda one, other, **_: one == other)
    monkeypatch.setattr(powers, "MOST_DIGITS", 40)
    match = match_of("math")
    assert match("$x^{30}$", "$x^{30}$") == (1.0, "$x^{30}$")
    assert match("$x^{50}$", "$x^{30}$") == (0.0, None)
    with pytest.raises(ValueError, match="writes a number of more than"):
        match("$x^{30}$", "$x^{50}$")


def test_the_same_reply_is_read_once(monkeypatch):
    """Reading takes some ms; a grid has the same reply to most versions of an original."""
    library = pytest.importorskip("math_verify")
    read, parse = [], library.parse
    monkeypatch.setattr(
        library, "parse", lambda *given, **how: read.append(1) or parse(*given, **how)
    )
    match = match_of("math")
    first = match("1/2", "0.5")
    once = len(read)
    assert [match("1/2", "0.5") for _ in range(20)] == [first] * 20
    assert len(read) == once > 0


def test_a_function_of_the_callers(tmp_path):
    path = tmp_path / "own.py"
    path.write_text("def half(said, right):\n    return 0.5 * (said == right)\n")
    assert match_of(f"python:{path}:half")("a", "a") == (0.5, "a")
    with pytest.raises(UsageError, match="has no function 'none'"):
        match_of(f"python:{path}:none")
    with pytest.raises(UsageError, match="there is no file"):
        match_of(f"python:{tmp_path}/other.py:half")
    with pytest.raises(UsageError, match=r"python:FILE\.py:FUNCTION"):
        match_of("python:half")


def test_bleu_and_chrf_are_those_of_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    said, right = "the cat is on the mat", "there is a cat on the mat"
    bleu = sacrebleu.sentence_bleu(said, [right], use_effective_order=True).score / 100
    assert match_of("bleu")(said, right) == (pytest.approx(bleu), said)
    chrf = sacrebleu.sentence_chrf(said, [right]).score / 100
    assert match_of("chrf")(said, right) == (pytest.approx(chrf), said)
    assert match_of("bleu")("Paris", "Paris")[0] == match_of("chrf")("Paris", "Paris")[0] == 1.0
    assert match_of("bleu")(None, right) == (0.0, None)


@pytest.mark.parametrize(
    "way", ["exact", "normalized", "contains", "f1", "rouge-l", "bleu", "chrf"]
)
def test_two_empty_texts_are_alike(way):
    """One that is empty beside one that isn't shares nothing with it."""
    if way in ("bleu", "chrf"):
        pytest.importorskip("sacrebleu")
    pairs = ("", ""), (" ", " "), ("", "x"), ("x", "")
    assert [match_of(way)(*pair)[0] for pair in pairs] == [1, 1, 0, 0]


def test_a_library_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    with pytest.raises(ImportError, match="--match bleu needs sacrebleu: pip install sacrebleu"):
        match_of("bleu")


@pytest.mark.parametrize(
    "way", ["exacly", "regex:(", "regexp:x", "", "close:x", "close:-1", "close:"]
)
def test_ways_that_are_none(way):
    with pytest.raises(UsageError):
        match_of(way)


SENTENCES = st.lists(st.sampled_from("cat dog the a sat -5 3.5 ran".split()), max_size=9).map(
    " ".join
)


@given(SENTENCES, SENTENCES)
def test_shared_words_by_a_slow_reference(said, right):
    """Precision and recall of words, articles apart."""
    a, b = ([word for word in text.split() if word not in ("a", "the")] for text in (said, right))
    a, b = a or said.split(), b or right.split()  # articles alone are words
    if not a or not b:
        expected = float(a == b)
    else:
        shared = sum(min(a.count(word), b.count(word)) for word in set(a))
        expected = 2 * shared / (len(a) + len(b))
    assert match_of("f1")(said, right)[0] == pytest.approx(expected)
    assert match_of("normalized")(said, right)[0] == float(a == b)


@given(st.text(st.sampled_from("ab the-'.,!3é \n"), max_size=60), SENTENCES)
def test_rouge_is_that_of_its_library(said, right):
    """On texts in ASCII; the library drops what is beyond it."""
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"])
    said = said.encode("ascii", "ignore").decode()
    ours = match_of("rouge-l")(said, right)[0]
    if any(map(str.isalnum, said + right)):  # two without a word are alike here, and nothing there
        assert ours == pytest.approx(scorer.score(right, said)["rougeL"].fmeasure)


def test_the_documentation_has_each_way_with_its_words():
    page = Path(__file__).parents[3] / "docs" / "how-to" / "judge-answers.md"
    rows = "".join(f"| `{way.name}` | {way.summary} |\n" for way in WAYS)
    assert f"| match | score |\n|---|---|\n{rows}\n" in page.read_text("utf-8")


def test_an_unknown_way_is_answered_with_those_that_python_takes():
    with pytest.raises(UsageError) as raised:
        match_of("?")
    names = str(raised.value).partition("known: ")[2].partition(" and ")[0].split(", ")
    assert names == sorted(way.name for way in WAYS if way.name != "judge")[: len(names)]
