"""What the perturbators on characters of Unicode write, and where they find no site."""

import unicodedata

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all
from taken import all_of, some_of

import perturb
from perturb import testing
from perturb.engine.batch import Batch
from perturb.perturbators.unicode import diacritics
from perturb.resources import read_rows

HINDI = "क्षत्रिय तेज़ भूरी लोमड़ी श्री नमस्ते ज़िंदगी"
THAI = "สุนัขจิ้งจอกสีน้ำตาลที่รวดเร็ว กำลังกระโดด"
ARABIC = "الثَّعْلَبُ البُنِّيُّ السَّريع يقفز"
HEBREW = "הַשּׁוּעָל הַחוּם הַמָּהִיר"
CHINESE = "敏捷的棕色狐狸跳过了懒狗。"
JAPANESE = "すばやい茶色のキツネ。ガギグ、がぎぐ"
RUSSIAN = "Быстрая лиса прыгает через ленивую собаку."
FOREIGN = (HINDI, THAI, ARABIC, HEBREW, CHINESE, JAPANESE, RUSSIAN)

# Of characters that every Python from 3.11 on knows.
texts = st.lists(
    st.one_of(
        st.sampled_from([*testing.HOSTILE.values(), *FOREIGN, "Ål, ﬁn ² ½ Å ｶﾞ 한글 각 各\u0301"]),
        st.text(alphabet="aeo é\u0301\u0323\u0327\u0345ñ각\u1100\u1161\u11a8\n-\"'", max_size=8),
    ),
    max_size=4,
).map("".join)


def clusters(text):
    return regex.findall(r"\X", text)


# --- every one: nothing is invented ------------------------------------------------------------


@pytest.mark.parametrize("text", FOREIGN)
@pytest.mark.parametrize(
    "spec",
    ["styled_letters", "strip_diacritics", "add_diacritics", "normalize", "zero_width", "bidi",
     "combining_marks:marks=3", "exotic_whitespace", "smart_punctuation", "emoji",
     "emoji:mode=replace", "homoglyph:mode=single_script"],
)  # fmt: skip
def test_no_latin_letter_comes_into_other_scripts(spec, text):
    for made in some_of(spec, text):
        assert not regex.search(r"\p{Latin}", made), made


@pytest.mark.parametrize("text", [HINDI, THAI, ARABIC, HEBREW, CHINESE, JAPANESE])
@pytest.mark.parametrize(
    "spec",
    ["styled_letters", "add_diacritics", "smart_punctuation", "emoji"],
)
def test_scripts_without_a_table_are_no_site(spec, text):
    record = perturb.apply(text, spec, p=1.0)
    assert (record.text, record.status) == (text, "no site")


@pytest.mark.parametrize("text", [HINDI, THAI, ARABIC, HEBREW])
def test_bidi_has_no_site_in_scripts_that_join_or_run_from_the_right(text):
    status = perturb.apply(text, "bidi", p=1.0).status
    assert status == ("not segmented" if text == THAI else "no site")


@pytest.mark.parametrize("text", [ARABIC, HEBREW])
def test_no_homoglyph_from_the_left_comes_into_text_from_the_right(text):
    assert perturb.apply(text, "homoglyph", p=1.0).status == "no site"


# --- homoglyph, styled_letters -----------------------------------------------------------------


def test_homoglyphs_are_mutual_and_of_one_sort():
    rows = read_rows("unicode", "homoglyphs.tsv")
    for column in (1, 2):
        pairs = {(row[0], other) for row in rows for other in row[column]}
        assert pairs == {(other, one) for one, other in pairs}
        for one, other in pairs:
            assert one != other
            assert regex.match(r"\p{L}", one + other) is None or regex.fullmatch(
                r"\p{L}+", one + other
            )
            assert regex.fullmatch(r"\p{N}+|\p{L}+", one + other)
            assert unicodedata.normalize("NFKC", one + other) == one + other


def test_homoglyphs_of_a_letter():
    made = perturb.apply("abcdefghijklmnopqrstuvwxyzабвгдежзαβγδε" * 20, "homoglyph", p=1.0).text
    assert regex.fullmatch(r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}]+", made)
    assert some_of("homoglyph", "a") == {"а", "α"}
    assert some_of("homoglyph", "а") == {"a", "α"}
    assert some_of("homoglyph:mode=single_script", "I") == {"l", "Ɩ"}
    assert some_of("homoglyph", "m4;") == {"m4;"}
    # A letter with a mark is another character.
    assert some_of("homoglyph", "a\u0301") == {"a\u0301"}


@pytest.mark.parametrize(
    ("style", "before", "after"),
    [
        ("bold", "aZ9 α", "𝐚𝐙𝟗 𝛂"),
        ("italic", "gh9", "𝑔ℎ9"),
        ("script", "BeL", "ℬℯℒ"),
        ("fraktur", "CHIRZ", "ℭℌℑℜℨ"),
        ("double_struck", "CHN1", "ℂℍℕ𝟙"),
        ("fullwidth", "aZ9!", "ａＺ９!"),
        ("circled", "aZ90", "ⓐⓏ⑨⓪"),
        ("monospace", "é1", "é𝟷"),
        ("small_caps", "fqxA", "ꜰꞯxA"),
    ],
)
def test_styled_letters(style, before, after):
    assert all_of(f"styled_letters:style={style},digits=true", before) == after


@pytest.mark.parametrize("row", read_rows("unicode", "letter_styles.tsv"), ids=lambda row: row[0])
def test_styles_mean_their_letters(row):
    style, letters, written = row
    assert len(letters) == len(written) == len(set(written))
    if style != "small_caps":
        assert unicodedata.normalize("NFKC", written) == letters


# --- zero_width, bidi --------------------------------------------------------------------------


@pytest.mark.slow
@settings(derandomize=True)
@given(texts)
def test_zero_width_stands_between_the_characters_of_words(text):
    record = perturb.apply(text, "zero_width:digits=true", p=1.0)
    # A place between two characters of a word, the slow way.
    expected, at = [], 0
    for left, right in zip(clusters(text), clusters(text)[1:], strict=False):
        at += len(left)
        if regex.fullmatch(r"[\p{L}\p{M}\p{N}]{2}", left[-1] + right[0]):
            expected.append(at)
    assert [edit.start for edit in record.edits] == expected
    assert all(edit.start == edit.end for edit in record.edits)
    assert {edit.text for edit in record.edits} <= {"\u200b", "\u2060", "\ufeff"}


@pytest.mark.parametrize(
    ("kind", "written"),
    [("space", "\u200b"), ("word_joiner", "\u2060"), ("no_break_space", "\ufeff"),
     ("non_joiner", "\u200c"), ("joiner", "\u200d")],
)  # fmt: skip
def test_zero_width_of_one_kind(kind, written):
    text = "ab 👩👧 c-d é12"
    after = f"a{written}b 👩👧 c-d é{written}1{written}2"
    assert all_of(f"zero_width:kind={kind},digits=true", text) == after


def displayed(text):
    """What is seen of text whose only controls are those of `bidi`."""
    turned = r"\u200e\u2066\u202e(.*?)\u202c\u2069\u200e"
    return regex.sub(turned, lambda match: "".join(clusters(match[1])[::-1]), text)


@pytest.mark.slow
@settings(derandomize=True)
@given(texts)
def test_bidi_is_displayed_as_before(text):
    if not regex.search(r"[\u200e\u202a-\u202e\u2066-\u2069]", text):
        assert displayed(all_of("bidi", text)) == text


def test_bidi():
    def turned(*words):
        return [f"\u200e\u2066\u202e{word}\u202c\u2069\u200e" for word in words]

    made = all_of("bidi", "I don't, né e\u0301t")
    assert made == "I {}, {} {}".format(*turned("t'nod", "én", "te\u0301"))
    for text in ("e\u0301 अब aب", "\u0301ab \u1161\u1100", "12 x9 3.14 a_b"):
        assert all_of("bidi", text) == text


# --- diacritics --------------------------------------------------------------------------------


def stripped(text):
    """Strip letters that can do without marks the slow way."""
    made = []
    for cluster in clusters(text):
        parts = unicodedata.normalize("NFD", cluster)
        bare = parts[0] + "".join(c for c in parts[1:] if not unicodedata.combining(c))
        bare = bare.translate(str.maketrans(diacritics._FIRM))
        european = regex.match(
            r"[[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}\p{Hebrew}\p{Syriac}]&&\p{L}]",
            parts,
            flags=regex.V1,
        )
        made.append(bare if european and bare != parts else cluster)
    return "".join(made)


@pytest.mark.slow
@settings(max_examples=of_all(200), derandomize=True)
@given(texts)
def test_strip_diacritics_is_what_a_slow_walk_does(text):
    assert all_of("strip_diacritics", text) == stripped(text)


@pytest.mark.parametrize(
    ("script", "before", "after"),
    [
        (None, "Crème brûlée, Ångström", "Creme brulee, Angstrom"),
        (None, "Tiếng Việt, đường, Đà Nẵng", "Tieng Viet, duong, Da Nang"),
        (None, "e\u0301 Z\u0351\u036b\u0343algo", "e Zalgo"),
        (None, "øłßı 5\u0301 \u0301 Ł\u0301", "olßi 5\u0301 \u0301 L"),
        (None, "Άρης, ёлка", "Αρης, елка"),
        ("latin", "é ё", "e ё"),
        ("arabic", "الثَّعْلَبُ é", "الثعلب é"),
        (None, "أحمد إلى مدرسة آخر הַחוּם पढ़ना がぎ", "احمد الى مدرسه اخر החום पढ़ना がぎ"),
        ("hebrew", HEBREW, "השועל החום המהיר"),
        ("hiragana", "がぎ ガ", "かき ガ"),
        ("katakana", "がぎ ガ", "がぎ カ"),
        # Vowel signs have no combining class and stay.
        ("thai", "น้ำ ที่", "นำ ที"),
    ],
)  # fmt: skip
def test_strip_diacritics(script, before, after):
    assert all_of("strip_diacritics", before, script=script) == after


def test_unknown_script():
    with pytest.raises(perturb.UsageError, match="unknown script 'greec': did you mean greek"):
        perturb.apply("", perturb.steps.strip_diacritics(p=1.0, script="greec"))


@pytest.mark.slow
@settings(max_examples=of_all(50), derandomize=True)
@given(
    st.text(alphabet="abcdefghijklmnopqrstuvwxyzAEIOUÑ αειу,и. 12", max_size=40), st.integers(0, 99)
)
def test_what_adds_diacritics_keeps_the_letters(text, seed):
    record = perturb.apply(text, "add_diacritics", p=1.0, seed=seed)
    assert len(record.text) == len(text)
    assert stripped(record.text) == stripped(text)


def test_add_diacritics():
    assert some_of("add_diacritics", "g") == set("ğģġĝ")
    assert some_of("add_diacritics", "и") == {"й", "ѝ"}
    assert some_of("add_diacritics", "q é e\u0301 5") == {"q é e\u0301 5"}


@pytest.mark.parametrize("marks", [1, 5, 32])
def test_combining_marks(marks):
    text = "Ab é e\u0301 5! 👍🏽 क्ष 각"
    record = perturb.apply(text, perturb.steps.combining_marks(p=1.0, marks=marks, digits=True))
    assert len(clusters(record.text)) == len(clusters(text))
    assert len(record.edits) == 7
    for edit in record.edits:
        before = text[edit.start : edit.end]
        assert edit.text.startswith(before)
        assert regex.fullmatch(rf"\p{{Mn}}{{{marks}}}", edit.text[len(before) :])


# --- typography --------------------------------------------------------------------------------


def test_exotic_whitespace():
    made = some_of("exotic_whitespace", "a b\nc")
    assert all(regex.fullmatch(r"a[\t\p{Zs}--[ ]]b\nc", text, flags=regex.V1) for text in made)
    assert len(made) == 9
    text = "a b\u00a0c\r\nd\u2028e  f\tg \u0301"
    after = "a\u3000b\u3000c\r\nd\u2028e\u3000\u3000f\u3000g \u0301"
    assert all_of("exotic_whitespace:kind=ideographic", text) == after
    assert perturb.apply(after, "exotic_whitespace:kind=ideographic", p=1.0).status == "no site"


@pytest.mark.parametrize(
    ("plain", "smart"),
    [
        ('"Hi," she said.', "“Hi,” she said."),
        ("He said: 'Hi.'", "He said: ‘Hi.’"),
        ("don't, dogs' and Ann's", "don’t, dogs’ and Ann’s"),
        ("\"'Hi,' he said,\" she said.", "“‘Hi,’ he said,” she said."),
        ("'\"Hi\" is short.'", "‘“Hi” is short.’"),
        ('("Hi"), ["x"]; a--"b"', "(“Hi”), [“x”]; a—“b”"),
        ('"One\n"Two"', "“One\n“Two”"),
        ('wait--"', "wait—”"),
        ("'Tis the '90s, rock 'n' roll", "’Tis the ’90s, rock ’n’ roll"),
        ("in '90, I think", "in ’90, I think"),
        ("1990's", "1990’s"),
        ('the "top 10" of', "the “top 10” of"),
        ("a - b, a--b, a -- b, a---b", "a – b, a—b, a — b, a—b"),
        ("wait...", "wait…"),
    ],
)
def test_smart_punctuation(plain, smart):
    assert all_of("smart_punctuation:direction=smart", plain) == smart
    assert all_of("smart_punctuation", plain) == smart


@pytest.mark.parametrize(
    "text",
    ["5' 10\" tall", "a \" b ' c", "5 - 3, x-y, -5, --flag", "---\n", "- item\n-- item",
     "|---|:--:|", "| --- | :--- |", "+---+---+",
     "so.... on.. .", 'f("")', "'open only"],
)  # fmt: skip
def test_what_is_not_clear_is_no_site(text):
    assert perturb.apply(text, "smart_punctuation", p=1.0).status == "no site"


def test_plain_punctuation():
    text = "“Don’t,” he said… ‘so’ – a—b „x‟ ‚y‛ «z»"
    plain = "\"Don't,\" he said... 'so' - a--b \"x\" 'y' «z»"
    assert all_of("smart_punctuation:direction=plain", text) == plain
    assert all_of("smart_punctuation", text) == plain
    assert all_of("smart_punctuation:direction=smart", text) == text


@pytest.mark.parametrize(
    ("kind", "after"),
    [("quotes", "“Hm...” -- ‘x’"), ("dashes", "\"Hm...\" — 'x'"), ("ellipses", "\"Hm…\" -- 'x'")],
)
def test_kinds_of_punctuation(kind, after):
    assert all_of(f"smart_punctuation:kind={kind}", "\"Hm...\" -- 'x'") == after


def test_quotes_of_one_text_do_not_reach_into_the_next():
    batch = ['say "x', '10" tall', "'x", "it's'"]
    alone = [all_of("smart_punctuation", text) for text in batch]
    assert [one.text for one in perturb.apply(batch, "smart_punctuation", p=1.0)] == alone
    assert alone == ["say “x", '10" tall', "'x", "it’s’"]


# --- emoji -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "before", "after"),
    [
        ("insert", "My dog, two CATS.", "My dog 🐶, two CATS 🐱."),
        ("replace", "My dog, two CATS.", "My 🐶, two 🐱."),
        ("replace", "dogma, hotdogs-", "dogma, 🌭-"),
        ("insert", "Two dogs' things, a cat", "Two dogs' things, a cat 🐱"),
        ("to_text", "I ❤️ 🐶!", "I red heart dog face!"),
        ("to_text", "my🐶🐱too", "my dog face cat face too"),
        ("to_text", "👍🏽 👨‍👩‍👧‍👦 🇩🇪 1️⃣ ©", "👍🏽 👨‍👩‍👧‍👦 🇩🇪 1️⃣ ©"),
    ],
)
def test_emoji(mode, before, after):
    assert all_of(f"emoji:mode={mode}", before) == after


def test_emoji_tables():
    rows = read_rows("english", "emoji.tsv")
    words = [word for _, own in rows for word in own.split(" ")]
    assert len(words) == len(set(words))
    assert all(regex.fullmatch("[a-z]+", word) for word in words)
    assert all(len(clusters(picture)) == 1 for picture, _ in rows)
    named = dict(read_rows("unicode", "emoji_names.tsv"))
    assert named["🐶"] == "dog face"
    single = [picture[0] for picture, _ in rows if len(picture.rstrip("\ufe0f")) == 1]
    assert set(single) <= set(named)


def test_emoji_is_a_share_of_emoji_when_it_names_them():
    assert perturb.apply("a b 🐶 🐱", "emoji:mode=to_text", p=1.0).units == 2
    batch = Batch.of(["🐶 🐱"])
    sites = perturb.registry.registry.lookup("emoji")(batch, mode="to_text")
    assert np.array_equal(sites.ends - sites.starts, [1, 1])
