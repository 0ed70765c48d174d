import importlib.util
import unicodedata
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sizes import of_all

from perturb.engine.text.characters import CODE_POINTS, Break, Kind, Script, breaks, kinds, scripts
from perturb.engine.text.graphemes import cluster_starts

EVERYTHING = "".join(map(chr, range(CODE_POINTS)))

# Characters that meet in every rule, and the ones most like them that must not.
ALPHABETS = {
    "emoji": "\u200d\ufe0f\u20e3👨👩👧🏽❤🏳🌈©1#aa\u0301🇩",
    "flags": "🇦🇧🇨\u200d\u0301a \n",
    "hangul": "\u1100\ua960\u1161\ud7b0\u11a8\ud7cb\uac00\uac01가\u0301a",
    "devanagari": "कतष\u094d\u093c\u093f\u0903\u200d\u200c\u0308aअ",
    "bengali": "কতষ\u09cd\u09bc\u09be\u0981\u200d\u200c\u0308a",
    "linkers": "क\u1cf5\u1cf6\U00011a3a\U00011a0b\u094d\u0d4d\u0d15\u200d\u200c\u0301",
    "plain": "ab ©क\u00ad\n",
    "controls": "\r\n\0\u2028\u00ad\u200b\u200e\u0600\u06dd\U000110bd\ud800\udfffa\u0301\u0e33",
}
ALPHABETS["all of these"] = "".join(ALPHABETS.values())


def classes(text):
    return breaks()[np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)]


def clusters(text):
    at = np.flatnonzero(cluster_starts(classes(text))).tolist()
    return [text[start:end] for start, end in pairwise([*at, len(text)])]


@pytest.fixture(scope="module")
def build():
    file = Path(__file__).parents[3] / "wordlists" / "build" / "unicode_properties.py"
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def same_unicode(build):
    """Skip where the installed `regex` implements another version of Unicode than the table."""
    expected = [Break[word.upper()] for word in build.words(build.BREAKS)]
    if not np.array_equal(breaks(), expected) or not regex.fullmatch(r"\X", "\u094d\u0915"):
        pytest.skip(f"regex {regex.__version__} implements another version of Unicode")


@pytest.mark.slow
@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
def test_same_as_regex_on_what_meets_in_the_rules(same_unicode, alphabet):
    @settings(max_examples=of_all(300))
    @given(st.text(st.sampled_from(alphabet), max_size=12))
    def check(text):
        assert clusters(text) == regex.findall(r"\X", text)

    check()


@settings(max_examples=of_all(300))
@given(st.text(st.characters(exclude_categories=()), max_size=20))
@example(EVERYTHING)
@example(EVERYTHING[::-1])
@pytest.mark.slow
def test_same_as_regex_on_all_of_unicode(same_unicode, text):
    assert clusters(text) == regex.findall(r"\X", text)


def test_same_as_regex_for_every_pair_of_classes(same_unicode):
    one_of_each = [EVERYTHING[np.flatnonzero(breaks() == value)[-1]] for value in Break]
    for first in one_of_each:
        for second in one_of_each:
            assert clusters(first + second) == regex.findall(r"\X", first + second)


@pytest.mark.parametrize(
    "expected",
    [
        [],
        ["a"],
        ["e\u0301", "\r\n", "\n", "\r", "x"],
        ["👨\u200d👩\u200d👧", "👍🏽", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3"],
        ["🇩🇪", "🇫🇷", "🇮"],
        ["a\u200d", "👩"],
        ["👩\u200d\u200d", "👩"],
        ["\u1100\u1161\u11a8", "각", "\u1100가"],
        ["न", "म", "स्ते"],
        ["क्\u200dष", "क्\u200c", "ष"],
        ["\u0600a", "\u0600", "\n", "\u0301"],
        ["\ud83d", "\udc68", "\0"],
    ],
)
def test_by_hand(expected):
    assert clusters("".join(expected)) == expected


class TestTable:
    def test_covers_unicode_and_cannot_be_written(self):
        for table in (kinds(), breaks(), scripts()):
            assert table.shape == (CODE_POINTS,)
            assert table.dtype == np.uint8
            with pytest.raises(ValueError, match="read-only"):
                table[0] = 1

    @pytest.mark.slow
    def test_every_class_occurs(self):
        assert set(kinds()) == set(Kind)
        assert set(breaks()) == set(Break)
        assert set(scripts()) == set(Script)

    @pytest.mark.parametrize(
        ("char", "kind", "script"),
        [
            ("a", Kind.LETTER, Script.LATIN),
            ("ß", Kind.LETTER, Script.LATIN),
            ("Σ", Kind.LETTER, Script.GREEK),
            ("ж", Kind.LETTER, Script.CYRILLIC),
            ("ש", Kind.LETTER, Script.HEBREW),
            ("ش", Kind.LETTER, Script.ARABIC),
            ("क", Kind.LETTER, Script.DEVANAGARI),
            ("\u094d", Kind.MARK, Script.DEVANAGARI),
            ("\u0301", Kind.MARK, Script.OTHER),
            ("漢", Kind.LETTER, Script.HAN),
            ("ひ", Kind.LETTER, Script.HIRAGANA),
            ("ヒ", Kind.LETTER, Script.KATAKANA),
            ("한", Kind.LETTER, Script.HANGUL),
            ("7", Kind.DIGIT, Script.OTHER),
            ("७", Kind.DIGIT, Script.OTHER),
            ("½", Kind.NUMBER, Script.OTHER),
            ("_", Kind.CONNECTOR, Script.OTHER),
            (" ", Kind.SPACE, Script.OTHER),
            ("\t", Kind.SPACE, Script.OTHER),
            ("\u00a0", Kind.SPACE, Script.OTHER),
            ("\n", Kind.NEWLINE, Script.OTHER),
            ("\u2029", Kind.NEWLINE, Script.OTHER),
            ("-", Kind.PUNCTUATION, Script.OTHER),
            ("€", Kind.SYMBOL, Script.OTHER),
            ("😀", Kind.SYMBOL, Script.OTHER),
            ("\0", Kind.CONTROL, Script.OTHER),
            ("\u200d", Kind.FORMAT, Script.OTHER),
            ("\ud800", Kind.OTHER, Script.OTHER),
        ],
    )
    def test_spot_checks(self, char, kind, script):
        assert (kinds()[ord(char)], scripts()[ord(char)]) == (kind, script)

    @pytest.mark.slow
    def test_agrees_with_python_on_what_python_knows(self):
        """General categories are stable enough that few characters may have moved since."""
        groups = {"L": Kind.LETTER, "M": Kind.MARK, "S": Kind.SYMBOL}
        moved = sum(
            kinds()[point] != groups[category]
            for point, char in enumerate(EVERYTHING)
            if (category := unicodedata.category(char)[0]) in groups
        )
        assert moved < 20
