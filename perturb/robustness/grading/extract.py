"""Extract the answer from a system's output, and compare it with the expected one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from perturb.errors import UsageError
from perturb.robustness.grading.boxed import boxed
from perturb.robustness.grading.chosen_option import first, option_letter
from perturb.robustness.grading.matches import PROSE, Match, last_match, lone_number
from perturb.robustness.grading.quantities import last_number
from perturb.robustness.grading.reasoning import behind_reasoning
from perturb.robustness.grading.ways import match_of
from perturb.values.patterns import lazy_regex

Extract = Callable[[str], str | None]

_WRAPPED = lazy_regex(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*\{([^{}]*)\}")
_DROPPED = lazy_regex(r"\\(?:left|right|displaystyle)\b|\\[ ,;:!$]|\^\s*(?:\\circ|\{\\circ\})|[$~]")
_UNIT = lazy_regex(
    r"(?<=[\d}])\s*\\(?:text|mathrm|mbox)\s*\{\s*\p{L}[^{}]*\}(?:\^\{?\d\}?)?\s*\.?\s*$"
)
_NAMED = lazy_regex(r"^\s*\$?\s*[A-Za-z]\s*=\s*(?=\S)")
# A sign without which a text is a word, a name or a lone number.
_FORMULA = lazy_regex(r"[\\^*/+=]|\d\s*\p{L}|(?<=\w)\s*-")
_SPACED = lazy_regex(r"\s*([,()\[\]])\s*")
_LONE_LETTER = lazy_regex(r"\(?([A-Z])\)?")


def extractor(rules: Sequence[str]) -> Extract:
    r"""Make a function that finds the answer in what a system said, by the first rule that does.

    Args:
        rules: `boxed`, the last `\boxed{}`; `number`, the last number; `choice`, the option
            letter; `regex:PATTERN`, the last match, or its first group if it has one.

    Raises:
        UsageError: there is no such rule.

    Examples:
        >>> find = extractor(["boxed", "choice"])
        >>> find(r"So \boxed{\frac{1}{2}}."), find("The answer is C."), find("Hm.")
        ('\\frac{1}{2}', 'C', None)
    """
    readers = [_reader(rule) for rule in rules]
    return lambda text: first(read(text) for read in readers)


def _reader(rule: str) -> Extract:
    kind, colon, pattern = rule.partition(":")
    if kind == "regex" and colon:
        return last_match(pattern)
    if rule not in _READERS:
        raise UsageError(
            f"an answer is found by boxed, number, choice or regex:PATTERN; got {rule!r}"
        )
    return _READERS[rule]


_READERS: dict[str, Extract] = {"boxed": boxed, "number": last_number, "choice": option_letter}


def graded(said: str | None, expected: str, extract: Extract) -> tuple[str | None, bool]:
    r"""The answer in what a system said, in one notation, and whether it is the expected one.

    Where a lone capital letter is expected, answers are compared as options of a question; where
    one is a formula, as mathematics, if math-verify is installed.

    Args:
        said: all that the system said; None where it said nothing.
        expected: the right answer.
        extract: as `extractor` makes it.

    Returns:
        The answer, None if none is found; and whether it is right.

    Examples:
        >>> graded(r"\boxed{1,200.0}", "1200", boxed)
        ('1200', True)
        >>> graded(r"\boxed{(B) a dolphin}", "B", boxed)
        ('B', True)
    """
    told = None if said is None else behind_reasoning(said)
    text = None if told is None else extract(told)
    if text is None:
        return None, False
    answer, right = normal(text), normal(expected)
    is_letter = _LONE_LETTER.fullmatch(expected.strip()) is not None
    if is_letter:
        answer = option_letter(answer) or answer
    return answer, answer == right or (not is_letter and _equal_formulas(answer, right))


def _equal_formulas(answer: str, right: str) -> bool:
    """Return whether two formulas are equal as mathematics; False without math-verify."""
    both = answer, right
    if not any(map(_FORMULA.search, both)) or any(map(PROSE.search, both)):
        return False
    try:
        return bool(_by_math()(answer, right)[0])
    except (ImportError, ValueError):  # the right answer isn't a formula after all
        return False


@cache
def _by_math() -> Match:
    math: Match = match_of("math")
    return math


def normal(answer: str) -> str:
    r"""Write an answer in one notation: numbers alike, and without TeX that says nothing.

    Fractions are reduced, and decimals where they end; a unit in TeX behind a number and the name
    of a variable before a value go, and so do spaces in tuples; an
    answer that isn't a number keeps its words.

    Examples:
        >>> [normal(a) for a in ("$9.50", r"\dfrac{2}{4}", "2/6", r"\text{Paris}.", "(C)", "x + 1")]
        ['9.5', '0.5', '1/3', 'Paris', 'C', 'x + 1']
    """
    bare = _UNIT.sub("", _NAMED.sub("", answer))
    plain = _DROPPED.sub("", _WRAPPED.sub(r"\1", bare)).strip().removesuffix(".").strip()
    letter = _LONE_LETTER.fullmatch(plain)
    if letter:
        return str(letter[1])
    number = lone_number(plain.removesuffix("%").removesuffix("\\").strip())
    if number is not None:
        return number
    return " ".join(_SPACED.sub(r"\1", plain).split() if plain[:1] in "([" else plain.split())
