"""Units and scales by their names, and the words behind a number that say of what there are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from perturb.values.patterns import lazy_re

# What multiplies the number before it, in the languages that write digits and such a word.
SCALES = {
    word: 10 ** int(words.split()[0])
    for words in """\
2 hundred; 3 thousand tausend mille тыс тысяча тысячи тысяч ألف آلاف हज़ार 千 천 हजार ribu nghìn
ngàn tusen tusind duizend tysiące tysięcy هزار พัน; 4 万 萬 만; 5 lakh lakhs लाख; 6 million
millions mn mln mill mio millionen millones millón milhões milhão milioni milione млн миллион
миллиона миллионов مليون ملايين میلیون milyon juta triệu miljoen miljon miljoner milion miliony
milionów ล้าน; 7 crore crores करोड़; 8 億 亿 억; 9 billion billions bn bil mrd mld milliarde
milliarden milliard milliards miliardi miliardo bilhão bilhões млрд миллиард миллиарда
миллиардов مليار میلیارد milyar miliar tỷ tỉ miljard miljarder miliardów; 12 trillion trillions
tn tril billionen billones billón 兆 조
""".split(";")
    for word in words.split()[1:]
}
# A letter scales the number that it touches: 5 m are metres, and 5M are millions.
_LETTERS = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_OF_MONEY = {"k": 10**3, "m": 10**6, "mm": 10**6, "b": 10**9, "t": 10**12}
# Dimension, factor, names and after + the prefixes that people write before them; a name in two
# entries may be either, and a hyphen in one is a space of two words. Factors are exact by
# definition (international yard and pound, US gallon and its content); speed is in metres per hour.
_TABLE = """\
length 1 m metre meter +nµmck; length 0.0254 in inch inches " ″; length 0.3048 ft foot feet ' ′
length 0.9144 yd yard; length 1609.344 mi mile; length 1852 nmi nautical-mile
length 9460730472580800 ly light-year; length^2 4046.8564224 acre; length^2 10000 ha hectare
mass 1 g gram gramme +nµmk; mass 28.349523125 oz ounce; mass 453.59237 lb lbs pound
mass 1000 kilo; mass 1000000 t tonne ton metric-ton; mass 6350.29318 stone
volume 1 l litre liter +mc; volume 1 L +m; volume 3.785411784 gal gallon
volume 0.946352946 qt quart; volume 0.473176473 pt pint; volume 0.2365882365 cup
volume 0.01478676478125 tbsp tablespoon; volume 0.00492892159375 tsp teaspoon
time 1 s sec second +nµm; time 60 min minute; time 3600 h hr hrs hour; time 86400 day
time 604800 week; time 1209600 fortnight; months 1 month; months 12 yr year; months 120 decade
months 1200 century centuries; speed 1609.344 mph mi/h; speed 1000 km/h kph kmh
speed 3600 m/s; speed 1852 knot kn
power 1 W watt +mkMGT; energy 1 J joule +mkM; energy 3600 Wh +kMGT; food 1 cal calorie +k
voltage 1 V volt +mk; current 1 A amp ampere +mk; frequency 1 Hz hertz +kMG; data 1 B byte +kMGT
data 0.125 b bit +kMGT; data 1024 KiB; data 1048576 MiB; data 1073741824 GiB
data 1099511627776 TiB; pressure 1 Pa pascal +kM; pressure 100000 bar +m; pressure 6894.757 psi
force 1 N newton +k; loudness 1 dB decibel; horsepower 1 hp horsepower; kelvin 1 K kelvin
percent 1 % percent per-cent; percent 0.1 ‰ per-mille permille; percent 0.01 bp bps basis-point
percent 0.0001 ppm; percent 0.0000001 ppb
angle 1 ° degree; radians 1 rad radian
celsius 1 °C ° degree degree-celsius celsius centigrade degree-centigrade
fahrenheit 1 °F ° degree degree-fahrenheit fahrenheit
count 12 dozen; count 0.25 quarter
usd 1 $ US$ USD dollar buck; usd 0.01 ¢ cent; eur 1 € EUR euro; eur 0.01 ¢ cent
gbp 1 £ GBP pound quid; gbp 0.01 pence penny p; jpy 1 ¥ JPY yen; cny 1 ¥ CN¥ CNY RMB yuan
inr 1 ₹ INR Rs rupee; krw 1 ₩ KRW won; chf 1 CHF franc; rub 1 ₽ RUB ruble rouble
mxn 1 MXN peso; brl 1 R$ BRL real reais; sek 1 SEK krona kronor; nok 1 NOK krone kroner
dkk 1 DKK krone kroner; pln 1 PLN zloty; try 1 ₺ TRY lira; zar 1 ZAR rand
thb 1 ฿ THB baht; ils 1 ₪ ILS shekel; aed 1 AED dirham; sar 1 SAR riyal; vnd 1 ₫ VND dong
cad 1 CAD C$ CA$ canadian-dollar; aud 1 AUD A$ AU$ australian-dollar; nzd 1 NZD NZ$
sgd 1 SGD S$; hkd 1 HKD HK$; twd 1 TWD NT$; usd 1 us-dollar; usd 0.01 us-cent
jpy 1 円 日元; cny 1 元 块 人民币 人民幣; krw 1 원; percent 1 パーセント 퍼센트
time 1 秒 초; time 60 分钟 分鐘 분; time 3600 時間 小时 小時 시간
length 1 メートル; length 1000 公里 キロメートル; mass 1 克 グラム; mass 1000 公斤 千克 キログラム
"""
_PREFIXES = {"n": (-9, "nano"), "µ": (-6, "micro"), "m": (-3, "milli"), "c": (-2, "centi"),
             "k": (3, "kilo"), "M": (6, "mega"), "G": (9, "giga"), "T": (12, "tera")}  # fmt: skip
# Vowel signs of the Indic scripts and Thai are no letters to `re`.
_SCALE = lazy_re(r"([ \u00a0\u202f-]?)((?:[^\W\d_]|[\u0900-\u0963\u0e31-\u0e4e])+)\.?")
_UNIT = lazy_re(
    r"[ \u00a0\u202f]?-?(?P<power>(?:square|sq\.?|cubic|cu\.?) )?"
    r"(?P<name>[^\W\d_²³]+/[^\W\d_²³]+|[°º] ?[CF]\b|[^\W\d_²³]+|[%‰°€£¥₹₩₽¢$\"″'′])"
    r"(?P<raised>[²³])?"
)
_NEXT = lazy_re(r"[ -]([^\W\d_]+)")
# A code behind an amount with a sign: $5 CAD.
_CODE = lazy_re(r" ?([A-Z]{3})\b")
_PER = lazy_re(r"(?: (?:per|an?|each|every) |/ ?)([^\W\d_]+)")
_SECONDS = {"hour": 3600, "minute": 60, "second": 1}
# What a number counts is said by the next words, up to one of these.
_ENDING = frozenset(
    """a about according after again all already also although altogether always am among
an and are around as at be because been before being between both but by can combined could
did do does due during each either else equals even every exactly for from gave get gets
given gives got had has have he hence her here his how however i if in inclusive instead
into is it its itself just left like made make makes may me might my nor not now of off on
once only or our out overall per plus please rather remain remained remaining remains
respectively she should since so still sum than that the their them then there therefore
these they this those though through throughout thus till to today together tomorrow tonight
too total totally until using versus via was we were what when where which while who whose
why will with within without would yesterday yet you your""".split()
)
# Words that change neither the unit nor the thing: 5 more dollars, 5 millions d'euros.
_FILLERS = lazy_re(
    r"(?: (?:more|full|whole|extra|additional|different|total|other|further|new|separate|de)\b"
    r"(?= \w)| d['’](?=\w))+"
)
_THING = lazy_re(r"(?: |-(?=[^\W\d_]{2})|)([^\W\d_]+|[\u0e3f\u20a0-\u20c0])")
_MOST_THINGS = 3
_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman"}
# What both numbers of a word have is left: of berry and berries, horse and horses, box and boxes.
_NUMBERED = lazy_re(r"(?<=..)(?:ies?|ys?|(?:(?<=[sxz])|(?<=[cs]h))es?|(?<=[^su])s)$")
# What ends a sentence of Japanese or Korean, and touches the word before it.
_COPULA = lazy_re(r"(?<=.)(?:です|でした|である|だ|になります|입니다|이다|이에요|예요)$")
# Of a preposition and a unit, "in" is the unit where nothing else follows.
_ENDS = lazy_re(r"\.?\s*(?:[^\w\s]|$)")


def scale_behind(text: str, end: int, currency: str | None = None) -> tuple[int, int]:
    """Return what the words behind a number multiply it by, and where they end."""
    scale = 1
    while word := _SCALE.match(text, end):
        space, name = word.groups()
        letter = _OF_MONEY.get(name.lower()) if currency else not space and _LETTERS.get(name)
        if letter and not text.startswith("-", word.end()):
            return scale * letter, word.end()
        factor = SCALES.get(name.lower())
        if factor is None:
            if (factor := SCALES.get(name[0])) is None:  # 3万円: one letter is a word
                break
            scale, end = scale * factor, word.start(2) + 1
        else:
            scale, end = scale * factor, word.end()
    return scale, end


def unit_behind(
    text: str, start: int, end: int, currency: str | None
) -> tuple[Mapping[str, Fraction], int]:
    """Return the dimensions that a number may have, with the value of one, and where it ends.

    A currency that isn't known is a dimension of its own.
    """
    if currency:
        name = currency.rstrip(" .")
        if code := _CODE.match(text, end):
            name, end = code[1], code.end()
        return unit_named(name) or {name: Fraction(1)}, end
    if filler := _FILLERS.match(text, end):
        end = filler.end()
    unit = _UNIT.match(text, end)
    if unit is None:
        return {}, end
    name = unit["name"].replace("μ", "µ").replace("º", "°").replace("° ", "°")
    name = _COPULA.sub("", name)
    if name in "\"'" and name in text[:start]:  # it closes a quotation
        return {}, end
    if name == "in" and not _ENDS.match(text, unit.end()):
        return {}, end
    if (more := _NEXT.match(text, unit.end())) and (
        two := unit_named(f"{name}-{more[1]}") or unit_named(f"{name.removesuffix('s')}-{more[1]}")
    ):
        return two, more.end()
    units = unit_named(name)
    if not units:
        bare = name.partition("/")[0]
        units = unit_named(bare)
        return units, unit.start("name") + len(bare) if units else end
    power = 2 if unit["raised"] == "²" or (unit["power"] or "").startswith("s") else 3
    if unit["raised"] or unit["power"]:
        units = {f"{each}^{power}": factor**power for each, factor in units.items()}
    per = _PER.match(text, unit.end())
    if per and per[1] in _SECONDS and "length" in units:
        return {"speed": units["length"] * 3600 / _SECONDS[per[1]]}, per.end()
    return units, unit.end()


def things_behind(text: str, end: int, *, is_measured: bool) -> tuple[frozenset[str], str]:
    """Return what a number counts, and for each of what: of "18 eggs a day" the eggs and the day.

    Args:
        text: the text.
        end: the end of the number, its scale and its unit.
        is_measured: whether it has a unit, and so counts nothing else.
    """
    things = list[str]()
    while not is_measured and len(things) < _MOST_THINGS and (word := _THING.match(text, end)):
        if word[1].lower() in _ENDING:
            break
        things.append(_stem(word[1]))
        end = word.end()
    per = _PER.match(text, end)
    return frozenset(things), _stem(per[1]) if per else ""


def _stem(word: str) -> str:
    """Return what singular and plural of a word share; capitals count in a symbol such as mSv."""
    word = _COPULA.sub("", word)
    if word.isupper() or word[1:].islower():
        word = word.lower()
    return _NUMBERED.sub("", _IRREGULAR.get(word, word))


def unit_named(name: str) -> Mapping[str, Fraction]:
    """Return what a unit may measure; a word may be in capitals, or in the plural."""
    known, word = _units(), name.lower()
    return known.get(name) or known.get(word) or known.get(word.removesuffix("s")) or {}


@cache
def _units() -> dict[str, dict[str, Fraction]]:
    """Return the known units by their names, each with its dimensions and the value of one."""
    units: dict[str, dict[str, Fraction]] = {}
    for entry in re.split("[;\n]", _TABLE.strip()):
        given, _, prefixes = entry.partition(" +")
        dimension, factor, symbol, *words = given.split()
        for prefix, (power, said) in ({"": (0, "")} | _PREFIXES).items():
            for name in (prefix + symbol, *(said + word for word in words)) * (prefix in prefixes):
                units.setdefault(name, {})[dimension] = Fraction(factor) * Fraction(10) ** power
    return units
