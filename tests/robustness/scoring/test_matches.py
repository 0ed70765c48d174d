import pytest

from perturb.errors import UsageError
from perturb.robustness.scoring.matches import match_of

WAYS = [
    ("exact", "Paris", "paris", 0),
    ("normalized", "The  Paris.", "paris", 1),
    ("normalized", None, "paris", 0),
    ("contains", "It is Paris, in France.", "paris", 1),
    ("contains", "Parisian", "paris", 0),
    ("number", "so 1,200.0", "1200", 1),
    ("f1", "the cat sat", "a cat sat down", 0.8),
    ("f1", "dog", "cat", 0),
    ("rouge-l", "cat the sat down", "cat sat on mat", 4 / 7),
    ("set", "red, green and blue", "Blue; red; green", 1),
    ("set", "red", "red, blue", 0),
    ("regex:ANSWER (\\d+)", "ANSWER 1, no: ANSWER 2", "2", 1),
    ("regex:ANSWER (\\d+)", "2", "2", 0),
]


@pytest.mark.parametrize(("way", "said", "right", "value"), WAYS)
def test_ways(way, said, right, value):
    assert match_of(way)(said, right)[0] == pytest.approx(value)


# Pairs of answers that are equal as mathematics.
EQUAL = [
    (r"\frac34", "0.75"),
    (r"\dfrac{3}{4}", r"\frac{3}{4}"),
    ("(1,2)", "(1, 2)"),
    ("x=5", "5"),
    (r"5\text{ cm}", "5"),
    (r"so \boxed{\$5}", "5"),
    (r"\boxed{\sqrt{12}}", r"2\sqrt{3}"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("said", "right"), EQUAL)
def test_mathematics(said, right):
    pytest.importorskip("math_verify")
    equal = match_of("math")
    assert equal(said, right)[0] == 1
    assert equal(said.replace("5", "6").replace("2", "3").replace("4", "7"), right)[0] == 0


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


@pytest.mark.parametrize("way", ["exacly", "regex:(", "regexp:x", ""])
def test_ways_that_are_none(way):
    with pytest.raises(UsageError):
        match_of(way)
