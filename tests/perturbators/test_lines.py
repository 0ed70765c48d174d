"""Line ends, and white space at the ends of lines and texts."""

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all
from taken import all_of, some_of

import perturb
from perturb.testing import texts

LONG = "Extraordinary circumstances necessitated reconsideration of international matters."


def slow_wrap(text, width):
    """Break line after line at its last blank that leaves no more than `width` characters."""
    made = ""
    for line in regex.split("(\n)", text):
        while len(line) > width:
            blanks = list(regex.finditer(r"(?<=[^ ]) +(?=[^ ])", line))
            fitting = [match for match in blanks if match.start() <= width]
            if not blanks:
                break
            match = fitting[-1] if fitting else blanks[0]
            made += line[: match.start()] + "\n"
            line = line[match.end() :]
        made += line
    return made


@pytest.mark.slow
@settings(max_examples=of_all(300), derandomize=True)
@given(st.text("ab  \n", max_size=60), st.integers(2, 12))
def test_wrap(text, width):
    assert all_of("line_breaks", text, width=width) == slow_wrap(text, width)


def test_wrap_counts_characters():
    text = "re\u0301 su\u0301 me\u0301 te\u0301"
    assert all_of("line_breaks:width=5", text) == "re\u0301 su\u0301\nme\u0301 te\u0301"


@pytest.mark.slow
@settings(derandomize=True)
@given(texts, st.integers(2, 30))
def test_wrapping_and_hyphenating_only_add_line_ends(text, width):
    for mode in ("wrap", "hyphenate"):
        record = perturb.apply(text, perturb.steps.line_breaks(p=1.0, mode=mode, width=width))
        for edit in record.edits:
            before = text[edit.start : edit.end]
            assert (edit.text, before.strip()) in (("\n", ""), ("-\n", ""))
            assert (before == "") == (edit.text == "-\n")


def test_hyphenate():
    assert all_of("line_breaks:mode=hyphenate,width=18", LONG).split("\n") == [
        "Extraordinary cir-",
        "cumstances neces-",
        "sitated reconside-",
        "ration of interna-",
        "tional matters.",
    ]
    assert all_of("line_breaks:mode=hyphenate,width=7", "mathematics") == "mathe-\nmatics"
    assert all_of("line_breaks:mode=hyphenate,width=8", "математика") == "матема-\nтика"
    # What a word begins with is no syllable, and consonants stay together.
    assert all_of("line_breaks:mode=hyphenate,width=4", "structure strips") == (
        "struc-\nture\nstrips"
    )
    assert all_of("line_breaks:mode=hyphenate,width=5", "problema") == "pro-\nblema"
    assert "-" not in all_of("line_breaks:mode=hyphenate,width=4", "यह तेज़ लोमड़ी है المدينة الكبيرة")


@pytest.mark.slow
def test_hyphenate_leaves_what_a_line_end_breaks():
    spec = "line_breaks:mode=hyphenate,width=8"
    for text in (
        "https://example.org/returns?order=interesting",
        "customer.interest@example.org",
        "`informative activation`",
        'informative_column "activation": 5',
        '{"note": "an interesting activation"}',
    ):
        assert "-\n" not in all_of(spec, text), text
    assert all_of(spec, "(“activation”), activation: interesting.") == (
        "(“activation”),\nactiva-\ntion:\ninteres-\nting."
    )


def test_hyphenate_by_a_dictionary():
    spec = "line_breaks:mode=hyphenate,width=8,dictionary="
    assert all_of(spec + "en_US", "gatherings") == "gather-\nings"
    assert all_of(spec + "de_DE", "Silbentrennung").startswith("Silben-\n")
    with pytest.raises(perturb.UsageError, match="en_US"):
        all_of(spec + "en_USS", "gatherings")
    with pytest.raises(perturb.UsageError, match="mode=hyphenate"):
        all_of("line_breaks:dictionary=en_US", "gatherings")


def test_p_is_a_share_of_the_line_ends():
    record = perturb.apply(LONG, perturb.steps.line_breaks(p=0.5, width=20))
    assert record.units == record.sites == 5
    assert record.text.count("\n") in (2, 3)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a\nb\r\nc", "a b c"),
        ("one \n  two", "one two"),
        ("a\n\nb\n \nc", "a\n\nb\n \nc"),
        ("Buy:\n- a\n- b c\nd", "Buy:\n- a\n- b c d"),
        ("\na\n", "\na\n"),
        ("敏捷的\n狐狸\nfox", "敏捷的狐狸 fox"),
        ("สุนัข\nจิ้งจอก", "สุนัข จิ้งจอก"),
    ],
)
def test_join(text, wanted):
    assert all_of("line_breaks:mode=join", text) == wanted


def test_crlf():
    text = "a\nb\r\n\n\rc\n"
    record = perturb.apply(text, perturb.steps.line_breaks(p=1.0, mode="crlf"))
    assert record.text == "a\r\nb\r\n\r\n\rc\r\n"
    assert all(edit.start == edit.end for edit in record.edits)
    assert record.units == 3


class TestEdges:
    TEXT = "  a \nb\t\n \nc"

    def test_remove(self):
        assert all_of("edge_whitespace:mode=remove", self.TEXT) == "  a\nb\n\nc"
        assert all_of("edge_whitespace:mode=remove,where=start", self.TEXT) == "a \nb\t\n\nc"
        assert all_of("edge_whitespace:mode=remove,unit=text", "\n a \n\n") == "\n a"
        assert all_of("edge_whitespace:mode=remove,unit=text,where=start", "\n a \n") == "a \n"

    def test_add(self):
        made = some_of("edge_whitespace", "a\r\n\r\nb", count=200)
        ends = (" ", "  ", "    ", "\t")
        assert made == {f"a{one}\r\n\r\nb{other}" for one in ends for other in ends}
        made = some_of("edge_whitespace:where=start", " a", count=60)
        assert made == {f"{one} a" for one in ends}
        made = some_of("edge_whitespace:unit=text", "a\nb", count=60)
        assert made == {f"a\nb{one}" for one in (" ", "  ", "\t", "\n")}

    def test_units(self):
        record = perturb.apply(self.TEXT, "edge_whitespace", p=1.0)
        assert (record.units, record.sites) == (4, 3)
        record = perturb.apply(self.TEXT, perturb.steps.edge_whitespace(p=1.0, mode="remove"))
        assert (record.units, record.sites) == (3, 3)

    @pytest.mark.parametrize("blank", ["", " ", "\n \n"])
    def test_blank_texts_get_none(self, blank):
        for unit in ("line", "text"):
            assert (
                perturb.apply(blank, perturb.steps.edge_whitespace(p=1.0, unit=unit)).status
                == "no site"
            )
