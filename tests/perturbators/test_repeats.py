"""Letters doubled and stretched, signs that look like them, and text read in a wrong encoding."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from taken import all_of, by_spec, reason, some_of

import perturb
from perturb.perturbators.letters.chars import _VOWELS
from perturb.resources import read_rows

WRITTEN = {
    "char_repeat": [
        ("So it's 12.", "SSoo iitt'ss 12."),
        ("ли\u0301са", "лли\u0301и\u0301ссаа"),
        ("नमस्ते", "ननममस्तेस्ते"),
        ("狐狸", "狐狐狸狸"),
        ("กำลัง", "กำกำลัลังง"),
        ("12, 3!", "12, 3!"),
    ],
    "char_repeat:mode=collapse": [
        ("Hello, coffee aaa!", "Helo, cofe a!"),
        ("Aardvark 11 l l l’l", "Aardvark 11 l l l’l"),
        ("ванна e\u0301e\u0301e", "вана e\u0301e"),
    ],
    "elongate:longest=1": [
        ("So, PLEASE be GOOD don't hmm", "Soo, PLEASEE bee GOOOD doon't hmm"),
        ("a I 2b H2O b2b", "a I 2b H2O b2b"),
        ("привет, ναι, ջան, კარგი", "привеет, ναιι, ջաան, კარგიი"),
        ("café naïve ÎLE", "caféé naïvee ÎLEE"),
        ("جدا", "جداا"),
    ],
    "elongate:longest=1,where=last": [
        ("So, PLEASE don't hmm", "Soo, PLEASEE don'tt hmmm"),
        ("so so มาก", "soo soo มากก"),
    ],
}


@pytest.mark.parametrize(("spec", "before", "after"), by_spec(WRITTEN))
def test_what_is_written(spec, before, after):
    assert all_of(spec, before) == after


def test_collapsing_takes_back_what_doubling_did():
    text = "The quick brown fox, by any measure"
    assert all_of("char_repeat:mode=collapse", all_of("char_repeat", text)) == text


@pytest.mark.slow
def test_length_of_a_stretch():
    """N = 400 seeds; each of four lengths is expected 100 times, give or take 5 * 8.7."""
    made = [all_of("elongate", "so", seed=seed) for seed in range(400)]
    for extra in range(1, 5):
        assert abs(made.count("so" + extra * "o") - 100) < 44
    assert {len(one) for one in made} == {3, 4, 5, 6}


STILL = {
    "elongate": [
        *(("no site", text) for text in ("नमस्ते दुनिया", "hmm", "12 3")),
        *(("not segmented", text) for text in ("สวัสดี", "敏捷的棕色狐狸", "มาก 狐狸 ดี")),
    ],
    "leetspeak": [
        ("no site", text)
        for text in ("नमस्ते", "สวัสดี", "مرحبا", "敏捷的棕色狐狸", "привет", "e\u0301")
    ],
    "mojibake": [("no site", "plain text 5!\r\n\x7f"), ("no site", "\ud83d")],
    "mojibake:written=cp1251": [("no site", "नमस्ते สวัสดี مرحبا 狐狸 é")],
    # Of the last, one of the two code points has no byte, so none is garbled.
    "mojibake:written=latin-1": [("no site", "Привет “”")],
    "mojibake:written=latin-1,read=utf-8": [("no site", "é\u0301")],
}


@pytest.mark.parametrize(("spec", "status", "text"), by_spec(STILL))
def test_what_stays(spec, status, text):
    assert reason(spec, text) == status


def walked_stretch(text):
    """The last vowel of each word of at least two letters, by a slow walk."""
    made, word = "", ""
    for char in text + " ":
        if char.isalnum():
            word += char
            continue
        at = max((i for i, c in enumerate(word) if c.lower() in _VOWELS), default=None)
        if at is not None and len(word) > 1 and word.isalpha():
            word = word[: at + 1] + word[at:]
        made += word + char
        word = ""
    return made[:-1]


@given(st.text("abEyst 1 ,йеЯ", max_size=25))
@settings(derandomize=True)
def test_elongate_against_a_slow_walk(text):
    assert all_of("elongate:longest=1", text) == walked_stretch(text)


LEET = read_rows("leet", "leet.tsv")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_leetspeak_writes_its_table(level):
    table = {}
    for letter, written, needed in LEET:
        if int(needed) <= level:
            table.setdefault(letter, set()).add(written)
    letters = "abcdefghijklmnopqrstuvwxyz"
    for letter in letters + letters.upper():
        options = table.get(letter.lower(), {letter})
        made = some_of(f"leetspeak:level={level}", letter, count=60)
        assert made == options


def test_leetspeak():
    assert all_of("leetspeak", "Elite, it is!") == "3l173, 17 15!"
    assert {int(level) for *_, level in LEET} == {1, 2, 3}
    assert all(written.isdigit() for _, written, level in LEET if level == "1")


@pytest.mark.parametrize(
    ("spec", "before", "after"),
    [
        ("mojibake", "café – don’t “so”", "cafÃ© â€“ donâ€™t â€œsoâ€\x9d"),
        ("mojibake:read=latin-1", "café’", "cafÃ©â\x80\x99"),
        ("mojibake:written=cp1251", "Привет 5", "Ïðèâåò 5"),
        ("mojibake:read=cp1251", "Привет", "РџСЂРёРІРµС‚"),
        ("mojibake:written=koi8-r,read=cp1251", "Привет", "рТЙЧЕФ"),
        ("mojibake:written=cp1251,read=cp866", "Привет", "╧ЁштхЄ"),
        ("mojibake:written=cp1252,read=utf-8", "naïve €5", "na\ufffdve \ufffd5"),
        ("mojibake:written=latin-1,read=cp1252", "é \x93 \x81", "é “ \x81"),
        ("mojibake:written=cp1252,read=cp1253", "\xaa\xd2\xff", "\ufffd\ufffd\ufffd"),
        ("mojibake:read=mac-roman", "é", "√©"),
        ("mojibake:read=cp437", "é", "├⌐"),
        # A cluster is one place, changed as a whole.
        ("mojibake", "e\u0301!", "eÌ\x81!"),
        ("mojibake", "👍🏽", "ðŸ‘\x8dðŸ\x8f½"),
    ],
)
def test_mojibake(spec, before, after):
    one = perturb.apply(before, spec, p=1.0)
    assert one.text == after
    assert one.units == one.sites == len(one.edits)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
@settings(derandomize=True)
def test_mojibake_is_what_the_codecs_do(text):
    assert all_of("mojibake:read=latin-1", text) == text.encode().decode("latin-1")
    assert all_of("mojibake:read=koi8-r", text) == text.encode().decode("koi8-r")


def test_mojibake_of_one_encoding():
    with pytest.raises(perturb.UsageError, match="written and read are both 'utf-8'"):
        perturb.apply([], "mojibake:read=utf-8")
