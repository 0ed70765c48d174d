"""The numbers of a text and its computations: chains such as `<<16-3=13>>`, sums, expressions.

They are read by `ast`, and nothing but numbers and four operators is accepted.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from perturb.lexicon.numerals import named

# Nobody writes longer chains, or larger or longer numbers, and these limits bound the time that a
# text can take. Set by hand on 27 November 2026.
_LENGTH, LIMIT, _DIGITS = 200, Fraction(10**12), 20
_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_IN_ANY_ORDER = ({ast.Add}, {ast.Mult})
NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_ARITHMETIC = r"[ \t\d.+*/()-]"
CHAIN = re.compile(
    rf"<<(?P<chain>[^<>=\n]+)=(?P<result>[^<>=\n]+)>>"
    rf"|^(?=[ \t(]*-?[\d.]+\)*[ \t]*[-+*/])(?P<line>{_ARITHMETIC}+)(?:=(?P<value>{_ARITHMETIC}+))?$"
    # Without brackets, if it is all of one: 45-5=40.
    r"|(?<![\w.,%)(^/*x$-])(?<![-+*/x×=] )"
    r"(?P<plain>\d+(?:\.\d+)?(?: ?[-+*/] ?\d+(?:\.\d+)?)+)"
    r" ?= ?\$?(?P<sum>\d+(?:\.\d+)?)(?![\w<*/%]|[.,]\d| ?[-+*/x] ?\d)",
    re.MULTILINE,
)
_SIDES = {"chain": "result", "line": "value", "plain": "sum"}
_WORDS = tuple(named(np.arange(100)).to_list())
_TOKEN = re.compile(
    rf"(?<![\d.])(?P<digits>{NUMBER})(?P<percent> ?%| percent\b)?"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS[2:], key=len, reverse=True))})(?![a-z])",
    re.IGNORECASE,
)
# A number next to these is a part of something: a name, an ordinal, a time, algebra.
_PART_BEFORE = re.compile(
    r"(?:(?<!\d)[A-Za-z]|[_#^]|\d:|[Nn]o\. |\b(?:[Aa]ll|these|those) |[Aa]ll the |\d ?[A-Za-wyz])$"
)
_PART_AFTER = re.compile(
    r"(?:st|nd|rd|th|s|[ap]\.?m|[A-Za-wyz])\b(?!')|x(?!\d)| ?[ap]\.?m\b|:\d|\^| o'clock"
    r"|[- ](?:hundred|thousand|million|billion|half|halves|thirds?|quarters?|fourths?|fifths?"
    r"|sixths?|sevenths?|eighths?|ninths?|tenths?)\b"
    r"|(?:[ -](?:dollar|cent|pound|euro)s?)?[ -](?:bill|coin|note)s?\b"
)
_UNIT = re.compile(r"[ -]?([A-Za-z]+)")


class Token(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    text: str
    value: Fraction
    percent: bool
    whole: bool  # whether it is a quantity, and no part of something else
    unit: str


class Chain(NamedTuple):
    """A computation: its operands in order, and the operators behind them as in a stack machine."""

    start: int
    end: int
    operands: list[Token]
    program: list[int | type[ast.operator] | None]
    result: Token | None
    values: list[Fraction]  # of each operator; the last is the chain's

    @property
    def value(self) -> Fraction:
        """The value of the chain."""
        return self.values[-1]

    @property
    def formula(self) -> object:
        """The computation itself: sums and products are the same in any order."""
        signs = {item for item in self.program if not isinstance(item, int)}
        values = [operand.value for operand in self.operands]
        return (sorted(values), signs) if signs in _IN_ANY_ORDER else (values, self.program)


class RefusedError(Exception):
    """A problem stays as it is; the message says why."""


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the numbers of a text in digits and in words."""
    for match in _TOKEN.finditer(text):
        digits = match["digits"]
        start, end = match.span("digits" if digits else "word")
        written = text[start:end]
        value = value_of(written) if digits else Fraction(_WORDS.index(written.lower()))
        before = text[max(start - 8, 0) : start]
        whole = not _PART_BEFORE.search(before) and not _PART_AFTER.match(text, end)
        unit = _UNIT.match(text, match.end())
        name = unit[1].lower().removesuffix("s") if unit else ""
        yield Token(start, end, written, value, bool(match["percent"]), whole, name)


def value_of(written: str) -> Fraction:
    if len(written) > _DIGITS:
        raise RefusedError("a number that is too long")
    return Fraction(written.replace(",", ""))


def read_chain(match: re.Match[str]) -> Chain:
    """Read a chain.

    Raises:
        RefusedError: it doesn't compute.
    """
    side, end = next(pair for pair in _SIDES.items() if match[pair[0]])
    source, start = match[side], match.start(side)
    start += len(source) - len(source.lstrip())
    # Nothing else reaches the parser, which warns of some of it.
    fits = len(source) <= _LENGTH and re.fullmatch(rf"{_ARITHMETIC}+", source)
    try:
        tree = ast.parse(source.strip(), mode="eval") if fits else None
    except SyntaxError:
        tree = None
    if tree is None:
        raise RefusedError("a chain that can't be read")
    operands: list[Token] = []
    program: list[int | type[ast.operator] | None] = []
    _compile(tree.body, source.strip(), start, operands, program)
    chain = Chain(*match.span(), operands, program, None, [])
    values = results_of(chain, [operand.value for operand in operands])
    said = match[end]
    written = said.strip() if said else ""
    if values is None or (said and not re.fullmatch(NUMBER, written)):
        raise RefusedError("a chain that doesn't compute")
    if not said:
        return chain._replace(values=values)
    place = match.end(end) - len(said.lstrip())
    if value_of(written) != values[-1]:
        raise RefusedError("a chain that doesn't compute")
    result = Token(place, place + len(written), written, values[-1], False, True, "")
    return chain._replace(values=values, result=result)


def _compile(
    node: ast.expr,
    source: str,
    start: int,
    operands: list[Token],
    program: list[int | type[ast.operator] | None],
) -> None:
    """Write the operands and the program of an expression: an index loads, None negates."""
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as sign, right):
            _compile(left, source, start, operands, program)
            _compile(right, source, start, operands, program)
            program.append(type(sign))
        case ast.UnaryOp(ast.USub(), operand):
            _compile(operand, source, start, operands, program)
            program.append(None)
        case ast.Constant(int() | float()) if node.end_col_offset is not None:
            begin, end = start + node.col_offset, start + node.end_col_offset
            written = source[node.col_offset : node.end_col_offset]
            if not re.fullmatch(NUMBER, written):
                raise RefusedError("a chain that can't be read")
            program.append(len(operands))
            operands.append(Token(begin, end, written, value_of(written), False, True, ""))
        case _:
            raise RefusedError("a chain that can't be read")


def results_of(chain: Chain, values: Sequence[Fraction]) -> list[Fraction] | None:
    """Return all results on the way to that of a chain; None if it divides by zero."""
    stack: list[Fraction] = []
    results = []
    for item in chain.program:
        if isinstance(item, int):
            stack.append(values[item])
            continue
        right = stack.pop()
        if item is None:
            stack.append(-right)
        elif item is ast.Div:
            if not right:
                return None
            stack.append(stack.pop() / right)
        else:
            stack.append(_OPERATORS[item](stack.pop(), right))
        if abs(stack[-1]) >= LIMIT:
            return None
        results.append(stack[-1])
    return results or stack


def decimals(value: Fraction) -> int:
    """Return how many decimals a number has; many for one without an end."""
    return next((places for places in range(7) if (value * 10**places).denominator == 1), 99)


def written(token: Token, value: Fraction) -> str:
    """Write a number in the form of another."""
    if token.text[0].isalpha():
        word = _WORDS[int(value)] if value.denominator == 1 and 0 <= value < 100 else f"{value}"
        return word.capitalize() if token.text[0].isupper() else word
    had = len(token.text.partition(".")[2])
    padded = had > decimals(token.value) or had == 2
    places = max(decimals(value), had if padded else 0)
    comma = "," if "," in token.text else ""
    scaled = round(value * 10**places)
    written = f"{scaled // 10**places:{comma}}"
    written += f".{scaled % 10**places:0{places}}" if places else ""
    return written.removeprefix("0") if token.text[0] == "." and value < 1 else written
