"""Extract the answer from a system's output, and compare it with the expected one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Context
from fractions import Fraction

import regex

from perturb.errors import UsageError
from perturb.robustness.scoring.grade import last_number, option_letter

Extract = Callable[[str], str | None]

# What opens a box, what else is escaped, and the braces.
_BRACES = regex.compile(r"(\\(?:boxed|fbox)\s*+\{)|\\.|([{}])", regex.DOTALL)
_WRAPPED = regex.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox)\s*\{([^{}]*)\}")
_DROPPED = regex.compile(
    r"\\(?:left|right|displaystyle)\b|\\[ ,;:!]|\^\s*(?:\\circ|\{\\circ\})|[$~]"
)
_LONE_LETTER = regex.compile(r"\(?([A-Z])\)?")
_DECIMAL = regex.compile(
    r"[-+]?(?:\d{1,3}(?:,\d{3}){1,99}|\d{1,300})(?:\.\d{0,300})?|[-+]?\.\d{1,300}"
)
_FRACTION = regex.compile(
    r"([-+]?)\s*(?:\\[dt]?frac\s*\{\s*(\d{1,300})\s*\}\s*\{\s*(\d{1,300})\s*\}"
    r"|(\d{1,300})\s*/\s*(\d{1,300}))"
)


def extractor(rules: Sequence[str]) -> Extract:
    r"""Make a function that finds the answer in what a system said, by the first rule that does.

    Args:
        rules: `boxed`, the last `\boxed{}`; `number`, the last number; `choice`, the option
            letter; `regex:PATTERN`, the last match, of which the first group if there is one.

    Raises:
        UsageError: there is no such rule.

    Examples:
        >>> find = extractor(["boxed", "choice"])
        >>> find(r"So \boxed{\frac{1}{2}}."), find("The answer is C."), find("Hm.")
        ('\\frac{1}{2}', 'C', None)
    """
    readers = [_reader(rule) for rule in rules]

    def extract(text: str) -> str | None:
        found = (read(text) for read in readers)
        return next((answer for answer in found if answer is not None), None)

    return extract


def _reader(rule: str) -> Extract:
    kind, colon, pattern = rule.partition(":")
    if kind == "regex" and colon:
        return _by_pattern(pattern)
    if rule not in _READERS:
        raise UsageError(
            f"an answer is found by boxed, number, choice or regex:PATTERN; got {rule!r}"
        )
    return _READERS[rule]


def _by_pattern(pattern: str) -> Extract:
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise UsageError(f"regex:{pattern} is not a regular expression: {error}") from None
    group = min(compiled.groups, 1)

    def last_match(text: str) -> str | None:
        found = [match[group] for match in compiled.finditer(text)]
        return found[-1] if found else None

    return last_match


def boxed(text: str) -> str | None:
    r"""Return what the last `\boxed{}` of a text holds; None where there is none, or an empty one.

    Examples:
        >>> boxed(r"\boxed{3}, no: $\boxed{\{1, \frac{1}{2}\}}$")
        '\\{1, \\frac{1}{2}\\}'
    """
    open_braces: list[int | None] = []  # where the content of a box begins; None for other braces
    start = end = -1
    for brace in _BRACES.finditer(text):
        if brace[1] or brace[2] == "{":
            open_braces.append(brace.end() if brace[1] else None)
        elif brace[2] and open_braces:
            begins = open_braces.pop()
            if begins is not None and begins > start:
                start, end = begins, brace.start()
    return text[start:end].strip() or None if end >= 0 else None


_READERS: dict[str, Extract] = {"boxed": boxed, "number": last_number, "choice": option_letter}


def graded(said: str | None, expected: str, extract: Extract) -> tuple[str | None, bool]:
    r"""The answer in what a system said, in one notation, and whether it is the expected one.

    Where a lone capital letter is expected, answers are compared as options of a question.

    Args:
        said: all that the system said; None where it said nothing.
        expected: the right answer.
        extract: as `extractor` makes it.

    Returns:
        The answer, None where none is found; and whether it is right.

    Examples:
        >>> graded(r"\boxed{1,200.0}", "1200", boxed)
        ('1200', True)
        >>> graded(r"\boxed{(B) a dolphin}", "B", boxed)
        ('B', True)
    """
    found = None if said is None else extract(said)
    if found is None:
        return None, False
    answer, right = normal(found), normal(expected)
    if _LONE_LETTER.fullmatch(expected.strip()):
        answer = option_letter(answer) or answer
    return answer, answer == right


def normal(answer: str) -> str:
    r"""Write an answer in one notation: numbers alike, and without TeX that says nothing.

    Fractions are reduced, and decimals where they end; what is no number keeps its words.

    Examples:
        >>> [normal(a) for a in ("$9.50", r"\dfrac{2}{4}", "2/6", r"\text{Paris}.", "(C)", "x + 1")]
        ['9.5', '0.5', '1/3', 'Paris', 'C', 'x + 1']
    """
    plain = _DROPPED.sub("", _WRAPPED.sub(r"\1", answer)).strip().removesuffix(".").strip()
    letter = _LONE_LETTER.fullmatch(plain)
    if letter:
        return str(letter[1])
    value = _number(plain.removesuffix("%").removesuffix("\\").strip())
    return " ".join(plain.split()) if value is None else _written(value)


def _number(text: str) -> Fraction | None:
    if _DECIMAL.fullmatch(text):
        return Fraction(text.replace(",", ""))
    found = _FRACTION.fullmatch(text)
    if found is None:
        return None
    sign, *parts = (part for part in found.groups() if part is not None)
    above, below = map(int, parts)
    return Fraction(-above if sign == "-" else above, below) if below else None


def _written(value: Fraction) -> str:
    rest = value.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest > 1:
        return str(value)
    exact = Context(prec=2000)
    decimal = exact.divide(exact.create_decimal(value.numerator), value.denominator)
    return f"{decimal:f}"
