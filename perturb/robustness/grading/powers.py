"""Whether a formula writes numbers too long to compute: a bound, from its text alone."""

from __future__ import annotations

import re

import regex

from perturb.values.patterns import lazy_re, lazy_regex

# People write out shorter ones, and such a number takes a computer no second.
MOST_DIGITS = 100_000
# Nobody writes so many brackets within brackets, or powers of powers.
_DEPTH = 60
_FLAT = r"[({\[][^(){}\[\]^!]*+[)}\]]"
_ATOM = rf"(?:\\[A-Za-z]++(?:\s*+{_FLAT})*+|(?<![\w.@])[\w.@]++|{_FLAT})"
# Without another one in it; "@12" is any number of 12 digits.
_POWER = lazy_regex(
    rf"(?<base>{_ATOM})\s*+\^\s*+[-+]?+\s*+(?<to>{_ATOM})(?!\s*[\^!])|(?<to>{_ATOM})\s*+!"
)
_NUMBER = lazy_re(r"[^\w@.]*(\d+(?:\.\d*)?|\.\d+)[^\w@.]*")
_COMMAND = lazy_re(r"\\[A-Za-z]+")
_GROUP = lazy_regex(rf"(?<!\^\s*[-+]?\s*)({_FLAT})(?!\s*[\^!])")
# Marks without a value; other ways to write a power; a binomial, below 2^n; and a sum of so many
# terms, each of up to 1,000 digits.
_SPELLINGS = [
    (lazy_regex(pattern), written)
    for pattern, written in (
        (r"\\(?:left|right)\b|\\[,;:! ]|@|(?<=\d),(?=\d{3})", ""),
        (r"\*\*", "^"),
        ("!=", "="),
        (r"\\[dt]?binom\b", "2^"),
        (r"(?<![\d.])(\d[\d.]*+)[eE]\+?(-?\d++)", r"{\1*10^{\2}}"),
        (rf"\\(?:sum|prod)\s*_\s*(?:{_FLAT}|\w)\s*\^", "@1000^"),
    )
]


def is_too_long(formula: str) -> bool:
    r"""Return whether a number that a formula writes may have more than 100,000 digits.

    What a variable is raised to counts as well.

    Examples:
        >>> is_too_long("2^{2^{10}} + 300!"), is_too_long("8^{8^{6}}"), is_too_long(r"e^{-x^2/2}")
        (False, True, False)
    """
    longest = 0

    def bounded(power: regex.Match[str]) -> str:
        nonlocal longest
        base, to = power["base"] or power["to"], power["to"]
        most = 10.0 ** min(_digits(to), 300) if (number := _number(to)) is None else number
        digits = int(min(max(1, _digits(base, letters=True)) * most, MOST_DIGITS + 1))
        longest = max(longest, digits)
        if _has_variable(base):
            return "x"
        value = _number(base)
        if value is not None and number is not None and digits < 100:
            return f"{max(1, value**number):.0f}"
        return f"@{digits}"

    for pattern, written in _SPELLINGS:
        formula = pattern.sub(written, formula)
    for _ in range(_DEPTH):
        if longest > MOST_DIGITS or not ("^" in formula or "!" in formula):
            return longest > MOST_DIGITS
        before = formula
        formula = _GROUP.sub(lambda group: f" {group[1][1:-1]} ", _POWER.sub(bounded, formula))
        if formula == before:
            return False
    return True


def _number(text: str) -> float | None:
    """Return the number that a text is, without its sign; None for any other text."""
    match = _NUMBER.fullmatch(text)
    return None if match is None else float(match[1])


def _digits(text: str, *, letters: bool = False) -> int:
    """Return how many digits a value may have: no more than all its numbers, and its letters."""
    kind = r"\w" if letters else r"\d"
    return sum(int(many or 1) for many in re.findall(rf"@(\d+)|{kind}", _COMMAND.sub("", text)))


def _has_variable(text: str) -> bool:
    return re.search(r"[^\W\d_]", re.sub(r"\be\b", "", _COMMAND.sub("", text))) is not None
