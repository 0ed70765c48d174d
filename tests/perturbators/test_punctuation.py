"""Punctuation left out, added, doubled, spelled out, escaped."""

import html
import unicodedata

import pytest
from taken import all_of, by_spec, some_of

import perturb
from perturb.engine.batch import Batch
from perturb.perturbators.layout import punctuation
from perturb.perturbators.machines import _spoken
from perturb.resources import read_rows

WRITTEN = {
    "punctuation": [
        ('He said, "Go!" (now.)', "He said Go (now)"),
        ("Wait... what?! Yes; no: maybe…", "Wait what Yes no maybe"),
        ("It's well-known; she's Ann's (O'Neil).", "It's well-known she's Ann's (O'Neil)"),
        ("$3.50, 1,000 or 12:30.", "$3.50 1,000 or 12:30"),
        ("On 3/4/2020, 2020-01-05 or 1.2.2020.", "On 3/4/2020 2020-01-05 or 1.2.2020"),
        ("-5, .5 and '90s", "-5 .5 and '90s"),
        ("Mr. X, e.g. at 5 p.m. in the U.S. too.", "Mr. X e.g. at 5 p.m. in the U.S. too"),
        ("See http://a.b/c?d=1,2. Mail a.b@c.de, now", "See http://a.b/c?d=1,2 Mail a.b@c.de now"),
        ("1. One\n2. Two\nA. Three.", "1. One\n2. Two\nA. Three"),
        ("a - b — c", "a  b  c"),
        ("50%, #tag, @me & you * 2 / 3", "50% #tag @me & you * 2 / 3"),
        ("敏捷，狐狸。“好”！3.50元。", "敏捷狐狸“好”3.50元"),
        ("نعم، لا؟ 3.5؛", "نعم لا 3.5"),
        ("यह है। वह, है॥", "यह है वह है"),
        ("«Да», — сказал он.", "Да  сказал он"),
        # Apostrophes are no quotes.
        ("The dogs' bowl, and 'tis the boys' ball.", "The dogs' bowl and 'tis the boys' ball"),
        ("It’s the dogs’ and James’, since the '90s.", "It’s the dogs’ and James’ since the '90s"),
        ("He said 'no dogs' twice.", "He said no dogs twice"),
        ("Goin' home, un po' di rock 'n' roll.", "Goin' home un po' di rock 'n' roll"),
        ("At 5 p.m., etc., go.", "At 5 p.m. etc. go"),
        # Signs of formulas are none either.
        ("What is 16 - 3, or 5! / 3!?", "What is 16 - 3 or 5! / 3!"),
        ("Solve (x - y) – 7 = -z: now.", "Solve (x - y) – 7 = -z now"),
        ("Plan B - a trip - costs $9 - $5! Go.", "Plan B  a trip  costs $9 - $5 Go"),
    ],
    "punctuation:mode=strip_end": [
        ("One, two. (Three!) Mr. X?! End", "One, two (Three) Mr. X End"),
        ('He said "No." Yes', 'He said "No" Yes'),
        ("一，二。三！", "一，二三"),
        ("यह है। वह", "यह है वह"),
        ("3.5", "3.5"),
    ],
    "punctuation:mode=double": [
        ('Go, "Ann"! Mr. X: 3.5?', 'Go,, "Ann"!! Mr. X:: 3.5??'),
        ("No...", "No......"),
        ("好，是。", "好，，是。。"),
    ],
    "dictation": [
        ("Yes, I am. Are you?", "Yes comma I am period Are you question mark"),
        ('He said: "Go!" (now)', "He said colon open quote Go exclamation mark close quote"
         " open parenthesis now close parenthesis"),
        ("“Hi” — 3.5, e.g. this…", "open quote Hi close quote dash 3.5 comma e.g. this ellipsis"),
        ("one\ntwo\r\n\r\nthree", "one new line two new line new line three"),
        ("one.\n#two\n(see)\n- x", "one period new line #two new line open parenthesis see"
         " close parenthesis new line - x"),
        ("well-known... f(x) a/b", "well-known... f(x close parenthesis a/b"),
        ("12, 13.", "12, 13."),
        ("Он, она. Да?", "Он, она. Да?"),
        ("他说，hi. 走了。", "他说，hi. 走了。"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("spec", "before", "after"), by_spec(WRITTEN))
def test_what_is_written(spec, before, after):
    assert all_of(spec, before) == after


def test_the_unit_of_strip_end_is_the_sentence():
    record = perturb.apply(
        "One, two. Three! Four", perturb.steps.punctuation(p=1.0, mode="strip_end")
    )
    assert (record.units, record.sites) == (3, 2)


@pytest.mark.parametrize(
    ("form", "signs"),
    [
        ("a{} b, c{} d", ".,;:!?"),
        ("а{} б, в{} г.", ".,;:!?"),
        ("ا{} ب، ج{} د", "،.؛:!؟"),
        ("क{} ख, ग{} घ", ",।;:!?"),
    ],
)
def test_add(form, signs):
    text = form.format("", "")
    made = some_of("punctuation:mode=add", text, count=300)
    assert made == {form.format(one, other) for one in signs for other in signs}


def test_an_abbreviation_is_not_spelled_out():
    text = "At 5 p.m., go."
    assert perturb.apply(text, "dictation", p=1.0).text == "At 5 p.m. comma go period"


def test_the_table_of_dictation():
    rows = read_rows("english", "dictation.tsv")
    assert rows == sorted(rows)
    assert all(len(sign) == 1 for sign, *_ in rows)


class TestEntities:
    TEXT = 'Ann\'s "A&B" <b> 3\u00a0€ – é…'

    def test_escape(self):
        made = all_of("html_entities", self.TEXT)
        assert made == "Ann&#39;s &quot;A&amp;B&quot; &lt;b&gt; 3&nbsp;&euro; &ndash; é&hellip;"
        assert html.unescape(made) == self.TEXT
        assert all_of("html_entities", made).startswith("Ann&amp;#39;s &amp;quot;")

    def test_unescape_takes_back(self):
        made = all_of("html_entities", self.TEXT)
        assert all_of("html_entities:direction=unescape", made) == self.TEXT
        text = "&amp;lt; &#160; &apos; &unknown; &amp &"
        assert all_of("html_entities:direction=unescape", text) == "&lt; \u00a0 ' &unknown; &amp &"

    def test_the_table(self):
        for code, names in read_rows("languages", "html_entities.tsv"):
            for name in names.split(" "):
                assert html.unescape(name) == chr(int(code, 16)), name
            assert not unicodedata.category(chr(int(code, 16))).startswith("L")


def test_all_signs_at_the_edge_of_words() -> None:
    text = "a (b) [c] {d} #e f/g h& 5% ok, $3.50 #3 yes! 'tis the dogs' _x_ *y*"
    stripped = "a b c d e f/g h 5% ok $3.50 #3 yes 'tis the dogs' x y"
    assert all_of("punctuation:mode=strip_all", text) == stripped


@pytest.mark.slow
def test_a_sign_behind_a_text_without_one() -> None:
    made = {
        perturb.apply("Это конец\nIt ends ", "punctuation:mode=add_end", p=1.0, seed=seed).text
        for seed in range(100)
    }
    assert made == {f"Это конец\nIt ends{sign} " for sign in ".,;:!?"}
    assert (
        perturb.apply(["It ends.", "5)", "", " "], "punctuation:mode=add_end", p=1.0)[0].edits == ()
    )


def test_all_signs_are_looked_at() -> None:
    """They are found among the characters of some kinds."""
    tables = "STOPS QUOTES_AND_DASHES BRACKETS SYMBOLS FREE OPENING APOSTROPHES".split()
    signs = "".join(getattr(punctuation, f"_{name}") for name in tables)
    signs += "".join([punctuation._names()[0], _spoken._INSIDE, _spoken._SILENT, *_spoken._SAID])
    assert len(punctuation.signs_of(Batch.of([signs]), signs)) == len(signs)
