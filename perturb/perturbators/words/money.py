"""Amounts of money in another form."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import set_of
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.written import Match, number_heads, rewrites, word_heads

Form = Literal["random", "words", "symbol", "code"]


class _Currency(NamedTuple):
    symbol: str
    code: str
    one: str
    many: str


_CURRENCIES = (
    _Currency("$", "USD", "dollar", "dollars"),
    _Currency("€", "EUR", "euro", "euros"),
    _Currency("£", "GBP", "pound sterling", "pounds sterling"),
    _Currency("¥", "JPY", "yen", "yen"),
    _Currency("₹", "INR", "rupee", "rupees"),
)
_IN_CENTS = ("USD", "EUR")
_BY_NAME = {name: currency for currency in _CURRENCIES for name in currency}
_BY_NAME["US$"] = _CURRENCIES[0]
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{2})?"
_LARGE = r"(?: (?:thousand|million|billion|trillion))?"
_SIGNS = "$€£¥₹"
_SYMBOLS = rf"US\$|[{_SIGNS}]"
# The symbols and codes of three characters that may begin an amount.
_LEADS = ("US$", *(currency.code for currency in _CURRENCIES))
_CODES = "|".join(currency.code for currency in _CURRENCIES)
_NAMES = "|".join(name for currency in _CURRENCIES for name in (currency.many, currency.one))
_AMOUNT = re.compile(
    rf"(?<![\w.,$€£¥₹\\/-])(?:"
    rf"(?P<before>(?:{_SYMBOLS}|{_CODES}) ?)(?P<number>{_NUMBER})(?P<large>{_LARGE})(?!\w)"
    rf"|(?P<count>{_NUMBER})(?P<scale>{_LARGE}) (?P<after>{_NAMES}|{_CODES})(?!\w)"
    # No range, formula, part of a number, or possessive.
    r")(?!['’%]|[.,]?\d|\.\d|\s?[-–+*=^\\<>]\s?[\d$€£]|\s?\$(?!\d)|[-–][A-Za-z])"
)
# Before any other word an amount describes a thing: a $5 bill.
_GOES_ON = re.compile(
    r"(?![ ]?[/\w])| (?:and|or|for|per|in|on|to|from|each|a|an|more|less|off|of|if|when|every"
    r"|while|but|with|at|by|is|was|are|were|as|than|total|altogether|after|before|he|she|they|it|I"
    r"|we|how|so|left|the|his|her|their|who|which|that|because|into|out|during|between|over|since"
    r"|she|apiece|will|would|can|could|has|had|worth|back|extra|plus|not|only|this|then|through"
    r"|until|instead|short|daily|weekly|monthly|annually|toward|towards)\b"
)


@english_perturbator(
    "currency_format",
    summary="Write an amount of money in another form: 5 dollars for $5.",
    label_risk="low",
    touches={"words", "punctuation", "space"},
    version=2,
    source="ISO 4217 (codes), and use in English",
    example="Ann paid $5 for a pen, 12.50 euros for a book and USD 1,200 for a bike.",
)
def currency_format(batch: Batch, *, to: Form = "random") -> Sites:
    """Write amounts of money in another form, the same amount; `p` is a share of the amounts.

    Dollars are read as those of the United States. Names are not written before a noun (a $5 bill);
    ranges, formulas, amounts below zero, cents, and pounds, which may be a weight, stay.

    Args:
        batch: the texts.
        to: "words" (5 dollars), "symbol" ($5), "code" (USD 5), or "random" for one of these.
    """
    symbols = set_of(_SIGNS).mask(batch.codes).nonzero()[0]
    heads = number_heads(batch), symbols, word_heads(batch, _LEADS)
    return rewrites(batch, _AMOUNT, lambda match: _ways(match, to), np.sort(np.concatenate(heads)))


def _ways(match: Match, to: Form) -> list[str]:
    currency = _BY_NAME[(match["before"] or match["after"]).strip()]
    number, large = match["number"] or match["count"], match["large"] or match["scale"] or ""
    forms = {
        "symbol": f"{currency.symbol}{number}{large}",
        "code": f"{currency.code} {number}{large}",
    }
    if _GOES_ON.match(match.string, match.end()) and match["after"] != currency.code:
        forms["words"] = _in_words(currency, number, large)
    texts = forms.values() if to == "random" else [forms.get(to, "")]
    # USD5 and US$5 are only other spellings of the same form.
    had = match[0].replace(" ", "").replace("US$", "$")
    return [text for text in texts if text and text.replace(" ", "") != had]


def _in_words(currency: _Currency, number: str, large: str) -> str:
    amount = Decimal(number.replace(",", ""))
    if 0 < amount < 1 and not large and currency.code in _IN_CENTS:
        cents = int(amount * 100)
        return f"{cents} cent{'s' if cents > 1 else ''}"
    name = currency.one if amount == 1 and not large else currency.many
    return f"{number}{large} {name}"
