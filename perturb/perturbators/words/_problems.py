"""Word problems with their solutions: which numbers vary together, and other values for them.

A solution computes in chains, as in `<<16-3=13>>`, or in a line that is an expression. Each value
of a problem is a leaf, which the question gives, or the result of a chain. A value that could be
two things, or a fact, stays, and so does everything that it is computed from: what stays is never
wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from perturb.perturbators.words._chains import (
    CHAIN,
    LIMIT,
    NUMBER,
    Chain,
    RefusedError,
    Token,
    read_chain,
    results_of,
    tokens_of,
    value_of,
    written,
)
from perturb.perturbators.words._story import (
    BODIES,
    cap_of,
    facts_of,
    stays_alike,
    stays_near,
    step_of,
)

Draw = Callable[[int, int], int]

# A text with more numbers or chains than these is no word problem, and more choices take long. Set
# by hand on 27 November 2026.
_NUMBERS, _CHAINS, _CHOICES = 60, 60, 300
# How often other values are drawn before a problem is left alone. Of GSM8K's test questions 757
# vary with 200 draws, 759 with 400, and 761 with 2,000.
_TRIES = 400
_ANSWER = re.compile(rf"^(?:#### )?[ $]*-?(?:{NUMBER})[.%]?[ \t]*$", re.MULTILINE)
_END = re.compile(r"^####.*$", re.MULTILINE)
_LONE = re.compile(rf"(?:\n\n[ $]*-?(?:{NUMBER})[.%]?)+\Z")
# A result without a chain.
_UNCHAINED = re.compile(rf"= ?\$?(?P<number>{NUMBER})")
# In a question, but not in the computations of a solution, these are too: 2/3, 2 x 4.
_FRACTION = re.compile(r"\d+ ?[/x:] ?\d+|(?<!\$)\b(?:19|20)\d\d\b(?! [a-z]+s\b)")
_ARTICLE = re.compile(r"\b(an?) \$?$", re.IGNORECASE)
_VOWEL = re.compile(r"8|1[18](?!\d)(?!,)|1[18],\d|eigh|eleven", re.IGNORECASE)
# What may be an operand without standing in the question.
_USUAL = frozenset(
    map(Fraction, "0 1 2 3 4 5 7 10 12 24 30 52 60 100 365 1000 .01 .1 .25 .5".split())
)


class Variant(NamedTuple):
    """Numbers that vary together.

    Attributes:
        places: the start, the end and the replacement of each of their places, in order.
        results: what each result of a chain is before and after.
    """

    places: list[tuple[int, int, str]]
    results: list[tuple[Fraction, Fraction]]


def problems(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the problems of a text, each with its solution."""
    start = 0
    for match in _END.finditer(text):
        lone = _LONE.match(text, match.end())  # the answer in a field of its own
        end = lone.end() if lone else match.end()
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def vary(text: str, draw: Draw) -> tuple[list[Variant], str | None]:
    """Return other numbers for a problem.

    Args:
        text: the question and then its solution.
        draw: returns 32 random bits for a try and a number.

    Returns:
        The groups of numbers that vary together; and why there are none, None if the text has no
        chain at all.
    """
    try:
        return _Problem(text).varied(draw), None
    except RefusedError as refused:
        return [], str(refused) or None


class _Problem:
    """The values of a problem, and the chains that they come from.

    Attributes:
        leaves: the numbers of the question by their values.
        made: the chain that makes each value.
        stay: the values that stay as they are.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        found = list(CHAIN.finditer(text))
        if not found:
            raise RefusedError
        if len(found) > _CHAINS:
            raise RefusedError("too many chains")
        self.chains = [read_chain(match) for match in found]
        inside = [match.span() for match in found]
        tokens = [token for token in tokens_of(text) if not _is_in(token.start, inside)]
        if len(tokens) > _NUMBERS + 10 * _CHAINS:
            raise RefusedError("too many numbers")
        # The solution begins with the paragraph, or else the line, of the first chain.
        first = found[0].start()
        begin = max(text.rfind("\n\n", 0, first), 0) or max(text.rfind("\n", 0, first), 0)
        answers = [match.span() for match in _ANSWER.finditer(text)]
        parts = [match.span() for match in _FRACTION.finditer(text, 0, begin)]
        self.asked: list[Token] = []
        self.solved: list[Token] = []
        for token in tokens:
            if token.start >= begin or _is_in(token.start, answers):
                self.solved.append(token)
            else:
                a_part = token.unit in BODIES or _is_in(token.start, parts)
                self.asked.append(token._replace(whole=token.whole and not a_part))
        if not 1 <= len(self.asked) <= _NUMBERS:
            raise RefusedError("too many numbers" if self.asked else "no number in the question")
        self.leaves: dict[Fraction, list[Token]] = {}
        for token in self.asked:
            self.leaves.setdefault(token.value, []).append(token)
        self.parts = {
            value / 100: value
            for value, places in self.leaves.items()
            if any(token.percent for token in places)
        }
        self.made: dict[Fraction, Chain] = {}
        self.stay = {Fraction(0), Fraction(1), *facts_of(text)}
        self.stay |= {self.parts[value] for value in self.stay & {*self.parts}}
        self._follow_chains()
        self._keep_ambiguous()
        self._check_solution()

    def _follow_chains(self) -> None:
        """Find what each chain makes of what; values that two different ones make stay."""
        doubtful, constants = set(), set()
        for chain in self.chains:
            for operand in chain.operands:
                if self._source(operand.value) is None:
                    constants.add(operand.value)
            made = self.made.setdefault(chain.value, chain)
            if made.formula != chain.formula:
                doubtful.add(chain.value)
                doubtful.update(operand.value for operand in chain.operands)
            if chain.value in constants or chain.value in {o.value for o in chain.operands}:
                doubtful.add(chain.value)
        for value in doubtful:
            self._keep(value)
        for value in constants:
            if not self._keep_makers(value) and value not in _USUAL:
                raise RefusedError("an operand that neither the question nor a chain gives")

    def _keep_makers(self, value: Fraction) -> bool:
        """Keep what a number may have been computed from in silence, unless it is a fact."""
        if value in self.stay:
            return True
        known = {*self.leaves} | {
            made
            for made, chain in self.made.items()
            if value not in {operand.value for operand in chain.operands}
        }
        makers = {
            (one, other)
            for one in known
            for other in (*known, Fraction(1), *(() if value in _USUAL else facts_of(self.text)))
            if value in (one + other, one - other, one * other, other and one / other)
        }
        shares = abs(1 - value) * 100, 100 - value
        makers |= {(one, one) for one in self.parts.values() if one in shares}
        for one, other in makers:
            self._keep(one)
            self._keep(other)
        return bool(makers)

    def _source(self, value: Fraction) -> Fraction | None:
        """Return the value of the question or of a chain that an operand is; None for neither."""
        if value in self.leaves or value in self.made:
            return value
        return self.parts.get(value)

    def _keep(self, value: Fraction) -> None:
        """Keep a value, and all that it is made of."""
        source = self._source(value)
        for kept in {value} if source is None else {value, source}:
            if kept not in self.stay or kept in self.made:
                self.stay.add(kept)
                chain = self.made.pop(kept, None)
                for operand in chain.operands if chain else ():
                    self._keep(operand.value)

    def _keep_ambiguous(self) -> None:
        """Keep what may be two things, a fact, or a part of something."""
        uses = Counter(
            value
            for operands in {tuple(o.value for o in chain.operands) for chain in self.chains}
            for value in operands
        )
        given = Counter(token.value for token in self.asked)
        used = {self._source(value) for value in uses}
        # A number that stands more often than it is used also says something else.
        unused = {value for value in self.leaves if value not in used or given[value] > uses[value]}
        for value in [*self.made]:
            if value in self.stay and value > 1 and value not in uses and self._is_result(value):
                self.stay.discard(value)
            if value in self.leaves or value in self.stay or value in self.parts:
                self._keep(value)
        for value, (token, *_) in self.leaves.items():
            # The 3 friends, at first mention, have been listed by their names.
            if self.text[max(token.start - 4, 0) : token.start].lower() == "the ":
                self._keep(value)
        for token in (*self.asked, *self.solved):
            if not token.whole or (token.text.isalpha() and token.value not in self.leaves):
                self._keep(token.value)
        for chain in self.chains:
            times = Counter(operand.value for operand in chain.operands)
            for value, count in times.items():
                if count > max(given[value], 1) or (value <= 5 and uses[value] > given[value]):
                    self._keep(value)
        for match in _UNCHAINED.finditer(self.text, self.chains[0].start):
            if value_of(match["number"]) not in self.made:
                line = self.text.rfind("\n", 0, match.start()), match.end()
                for token in self.solved:
                    if line[0] < token.start < line[1]:
                        self._keep(token.value)
        for one in self.leaves:
            for other in (*self.leaves, Fraction(1)):
                # Two shares of a whole, or the sum or the rest that the question says as well.
                whole = one + other == 100 and (one in self.parts.values())
                told = {one + other, abs(other - one), *((one * other,) if other > 1 else ())}
                if whole or unused & told - {one, other}:
                    self._keep(one)
                    self._keep(other)

    def _is_result(self, value: Fraction) -> bool:
        """Return whether a value is only written as the result of a chain, or as the answer."""
        return all(
            self.text.startswith(">>", token.start - 2)
            or _ANSWER.match(self.text, self._line(token))
            for token in self.solved
            if token.value == value
        )

    def _check_solution(self) -> None:
        """Refuse a solution with numbers that come from nowhere."""
        known = {*self.leaves, *self.made, *self.stay, *self.parts}
        known |= {chain.value for chain in self.chains}
        known |= {operand.value for chain in self.chains for operand in chain.operands}
        for value in {token.value for token in self.solved} - known:
            if not self._keep_makers(value):
                raise RefusedError("a number of the solution that no chain computes")
        if not self.solved:  # an expression in a field, whose value is a number in another
            return
        last = [token for token in self.solved if _ANSWER.match(self.text, self._line(token))]
        if not last or last[-1].value not in {chain.value for chain in self.chains}:
            raise RefusedError("no answer that a chain computes")

    def _line(self, token: Token) -> int:
        return self.text.rfind("\n", 0, token.start) + 1

    def varied(self, draw: Draw) -> list[Variant]:
        """Return the groups of numbers; see `vary`."""
        used = {self._source(operand.value) for chain in self.chains for operand in chain.operands}
        free = sorted(value for value in self.leaves if value in used and value not in self.stay)
        if not free:
            raise RefusedError("only facts, and numbers that may be two things")
        kinds = {value: self._kind(value) for value in self.leaves}
        ranges = {}
        for value in free:
            fixed = [n for n in self.leaves if kinds[n] == kinds[value] and n not in free]
            low = max((n for n in fixed if n < value), default=Fraction(0))
            high = min((n for n in fixed if n > value), default=LIMIT)
            ranges[value] = [n for n in self._range(value) if low < n < high]
        for turn in range(_TRIES):
            values = _drawn(ranges, kinds, draw, turn)
            new = values and self._computed(values)
            if new:
                return self._groups(new)
        raise RefusedError("no other numbers keep the story possible")

    def _range(self, value: Fraction) -> list[Fraction]:
        """Return the other values that a number of the question may have."""
        tokens = self.leaves[value]
        places = max(len(token.text.partition(".")[2]) for token in tokens)
        scaled, unit = value * 10**places, Fraction(1, 10**places)
        digits = len(str(int(scaled)))
        cap = min((cap_of(token, self.text) for token in tokens), default=LIMIT)
        cap = cap if value <= cap else LIMIT
        low = max(10 ** (digits - 1), ceil(scaled / 2), 2)
        high = min(10**digits - 1, floor(scaled * 2), floor(cap / unit))
        step = step_of(int(scaled), places, any(token.percent for token in tokens))
        # Of large numbers the last digits stay.
        while (high - low) // step > _CHOICES:
            step *= 10
        first = low + (int(scaled) - low) % step
        # A decimal keeps its places: none of them is zero for one that isn't.
        whole = not places or int(scaled) % 10 == 0
        choices = (n * unit for n in range(first, high + 1, step) if whole or n % 10)
        return [n for n in choices if n not in self.stay and self._agrees(tokens, n)]

    def _agrees(self, tokens: Sequence[Token], value: Fraction) -> bool:
        """Return whether an article before a number fits another one too: an 8, an 11."""
        for token in tokens:
            if _ARTICLE.search(self.text, max(token.start - 4, 0), token.start):
                texts = token.text, written(token, value)
                if len({bool(_VOWEL.match(text)) for text in texts}) > 1:
                    return False
        return True

    def _kind(self, value: Fraction) -> str:
        """Return the kind of quantity: the numbers of one keep their order."""
        token = self.leaves[value][0]
        money = self.text[token.start - 1 : token.start] == "$"
        return "%" if token.percent else "$" if money else ""

    def _computed(self, values: dict[Fraction, Fraction]) -> dict[Fraction, Fraction] | None:
        """Return the new values of all that varies; None if the story would be impossible."""
        new = dict(values)
        for part, value in self.parts.items():
            if value in values and part not in self.leaves and part not in self.made:
                new[part] = values[value] / 100
        for value, chain in self.made.items():
            now = results_of(chain, [new.get(o.value, o.value) for o in chain.operands])
            if now is None or not all(map(stays_alike, chain.values, now)):
                return None
            if now[-1] != value and not stays_near(value, now[-1]):
                return None
            new[value] = now[-1]
        for token in self.solved:
            value = new.get(token.value, token.value)
            if token.value <= cap_of(token) < value or not self._agrees([token], value):
                return None
        return new

    def _groups(self, new: dict[Fraction, Fraction]) -> list[Variant]:
        """Return the groups of values that vary together."""
        group: dict[Fraction, Fraction] = {}

        def head(value: Fraction) -> Fraction:
            while group.get(value, value) != value:
                value = group[value]
            return value

        for value, chain in self.made.items():
            for operand in chain.operands:
                source = self._source(operand.value)
                if source in new and value in new and source not in self.stay:
                    group[head(source)] = head(value)
        tokens = [*self.asked, *self.solved]
        for chain in self.chains:
            tokens += [*chain.operands, *([chain.result] if chain.result else [])]
        places: dict[Fraction, list[tuple[int, int, str]]] = {}
        for token in sorted(set(tokens)):
            value = new.get(token.value, token.value)
            if value != token.value and token.whole:
                source = self._source(token.value)
                own = places.setdefault(head(token.value if source is None else source), [])
                own.append((token.start, token.end, written(token, value)))
        # Every result is in some group, so that an answer that stays is known too.
        results: dict[Fraction, list[tuple[Fraction, Fraction]]] = {}
        for value in {chain.value: None for chain in self.chains}:
            results.setdefault(head(value), []).append((value, new.get(value, value)))
        fixed = [pair for own, pairs in results.items() if own not in places for pair in pairs]
        groups = [Variant(own, results.get(key, []) + fixed) for key, own in places.items()]
        return sorted(groups)


def _drawn(
    ranges: dict[Fraction, list[Fraction]], kinds: dict[Fraction, str], draw: Draw, turn: int
) -> dict[Fraction, Fraction] | None:
    """Draw a value for each number, in the order that those alike have; None for a dead end."""
    values: dict[Fraction, Fraction] = {}
    last: dict[str, Fraction] = {}
    for number, (value, choices) in enumerate(ranges.items()):
        fits = choices[bisect_right(choices, last.get(kinds[value], Fraction(0))) :]
        if turn < _TRIES // 2:  # at first all are to change
            fits = [n for n in fits if n != value]
        if not fits:
            return None
        last[kinds[value]] = values[value] = fits[draw(turn, number) * len(fits) >> 32]
    return values if any(old != new for old, new in values.items()) else None


def _is_in(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)
