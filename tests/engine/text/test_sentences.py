"""Sentences and lines: a table of cases, and what holds for any text."""

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all

from perturb.engine.batch import Batch
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.sentences import bound_dots, final_stops
from perturb.resources import read_rows
from perturb.testing import HOSTILE, texts


def sentences(text):
    return Batch.of([text]).sentences.to_list()


# Sentences are parted by "|" here, which stands in none of them.
CASES = [
    # Stops, and what closes behind them.
    "He came. |She left! |Why? |Who knows…",
    'He said "No." |She left. |(It rained.) |Then (oddly) it stopped.',
    "“Stay!” |Ann ran. |‘Why?’ she asked. |He said “Go.” to her.",
    "What?! |No... |Yes!!",
    "No stop at the end. |None here",
    "**Note.** |It works. |_So?_ |Yes.",
    # Not the end: small letters, commas, decimals, URLs.
    "It was ... well, odd. |He paused… then spoke.",
    "It costs $3.50, or 1.000.000 in all. |See http://a.b/c.d?e=1. |Good.",
    "Yahoo!, he said. |Version 2.0.1 is out.",
    "Wait . . . what? |Never.",
    # Abbreviations.
    "Mr. Smith met Dr. Jones, i.e. the vet, e.g. at St. Mary's. |They spoke.",
    "See Fig. 3 and No. 7, pp. 12 ff. |The rest is clear.",
    "Is it so? |No. |It is 5 p.m. |Go home, etc. and so on.",
    "They sold apples, pears, etc. |Then they left.",
    "He joined Acme Inc. |She did not.",
    "J. K. Rowling and John F. Kennedy met George W. Bush.",
    "The U.S. Army came. |He lives in the U.S. |He likes it.",
    "The answer is B. |Because of that, A is wrong. |Vitamin C. |It helps.",
    "So did I. |Ann did not.",
    "They own Farm X.\n|Many are there.",
    "It was on Jan. 5. |On Mar. 6 it was over.",
    # Lists and paragraphs.
    "A heading\n\n|A paragraph that is\nwrapped. |More.\n \n|Next",
    "Buy:\n|- eggs\n|- milk\n|* tea\n|• jam",
    "Which?\n|A. Paris\n|B. The moon\n|C) Rome\n|(D) Oslo",
    "1. Take two. |Eat one.\n|2. Take 3. |Stop.\n|10. End",
    "One.\r\n\r\n|Two\r\nlines. |Three.\r\n",
    # No capitals, so their absence says nothing.
    "i went home. |then i slept... |i woke up",
    # Other scripts.
    "敏捷的狐狸。|跳过了！|“真的吗？”|价格是3.50元。|他说：“好。”，走了。",
    "すばやい狐。|「はい。」|犬だ！|本当？",
    "यह एक है। |डॉ. राम आए। |क्या? |हाँ॥ |अंत",
    "هذا نص. |وهذا آخر؟ |نعم! |انتهى",
    "یہ ایک ہے۔ |وہ دو ہیں۔|تین",
    "Он пришёл, т.е. был дома. |А. С. Пушкин жил на ул. Мойка. |Кто? |Она ушла.",
    "Ήρθε. |Έφυγε! |Γιατί;",
    "እሱ መጣ። |ሄደች።",
    "Սա է։ |Նա եկավ։",
    "빠른 여우다. |개는 잔다. |왜?",
    "הוא בא. |היא הלכה! |למה?",
    "สุนัขวิ่ง เร็วมาก\n\n|แมวนอน",
    "¿Qué? |¡No! |«Sí.» |El Sr. García vino.",
    "z.B. am Montag, d.h. bald. |Dr. Braun kam. |Er ging.",
]  # fmt: skip


@pytest.mark.parametrize("marked", CASES)
def test_sentences(marked):
    wanted = [part.strip() for part in marked.split("|")]
    assert sentences(marked.replace("|", "")) == wanted


@pytest.mark.parametrize("blank", ["", " ", "\n\n", " \t\r\n \u3000"])
def test_a_blank_text_has_no_sentence(blank):
    assert sentences(blank) == []


@pytest.mark.slow
@settings(max_examples=of_all(300), derandomize=True)
@given(st.lists(texts, max_size=4))
def test_sentences_hold_all_that_is_visible(batch):
    """They are in order and apart, begin and end visibly, and no other text changes them."""
    found = Batch.of(batch).sentences
    assert found.to_list() == [one for text in batch for one in sentences(text)]
    assert (found.starts < found.ends).all()
    assert (found.ends[:-1] <= found.starts[1:]).all()
    blank = r"[\s\x1c-\x1f--\x1c-\x1f]"
    for text in batch:
        mine = sentences(text)
        assert regex.sub(blank, "", "".join(mine), flags=regex.V1) == regex.sub(
            blank, "", text, flags=regex.V1
        )
        assert all(one == one.strip(" \n\t\r\u3000") for one in mine)


def slow_lines(text):
    parts = regex.split("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]", text)
    return parts if parts[-1] else parts[:-1]


@pytest.mark.slow
@settings(max_examples=of_all(300), derandomize=True)
@given(st.lists(texts, max_size=4))
def test_lines(batch):
    assert Batch.of(batch).lines.to_list() == [one for text in batch for one in slow_lines(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("", []), ("\n", [""]), ("a", ["a"]), ("a\r\n\r\nb\n", ["a", "", "b"])],
)
def test_lines_of(text, wanted):
    assert Batch.of([text]).lines.to_list() == wanted


def test_final_stops_are_without_what_closes_behind_them():
    batch = Batch.of(['He said "No?!" Go (now.) Mr. X is 3.5. End'])
    assert final_stops(batch.texts).to_list() == ["?!", ".", "."]


def test_bound_dots():
    text = "1. Mr. X ate etc. and, e.g. 3.5 eggs at 5 p.m. Then etc. It ended. No. 5 won."
    found = bound_dots(Batch.of([text]).texts) - 1
    assert [text[: at + 1].split()[-1] for at in found] == [
        "1.",
        "Mr.",
        "etc.",
        "e.g.",
        "p.m.",
        "No.",
    ]


@settings(derandomize=True)
@given(st.text("ab", max_size=20))
def test_past_and_back(text):
    """Runs of any length are walked over, as a loop walks them."""
    codes = Batch.of([text]).codes
    places = np.arange(1, len(codes))
    forward, backward = [], []
    for place in places:
        end = start = int(place)
        while codes[end] == ord("a"):
            end += 1
        while codes[start - 1] == ord("a"):
            start -= 1
        forward.append(end)
        backward.append(start)
    a = CharacterSet.of("a")
    assert a.past(codes, places).tolist() == forward
    assert a.back(codes, places).tolist() == backward


def test_the_table_of_boundaries():
    rows = read_rows("languages", "boundaries.tsv")
    assert rows == sorted(rows)
    for word, kind, _ in rows:
        assert kind in ("title", "number", "start")
        assert len(word) <= 8
        assert regex.fullmatch(r"[\p{L}\p{M}.]*[\p{L}\p{M}]", word), word


def test_units_are_counted():
    batch = Batch.of(["Ah. Be.\nSo.", "", "D"])
    assert batch.units("sentence").tolist() == [3, 0, 1]
    assert batch.units("line").tolist() == [2, 0, 1]
    assert batch.units("text").tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_sentence_splits_a_cluster(name):
    batch = Batch.of([HOSTILE[name]])
    if batch.boundaries is not None:
        assert batch.boundaries[batch.sentences.starts].all()
        assert batch.boundaries[batch.sentences.ends].all()
