"""Presets of protection against the table of the documentation, and on texts made to be slow."""

from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import perturb
from perturb import user_patterns
from perturb.engine import presets, protection, rules
from perturb.engine.presets import PRESETS
from perturb.engine.protection import Rules
from perturb.engine.text.strings import Strings

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "presets.md").read_text("utf-8")
ROWS = [
    (preset, line)
    for preset, block in regex.findall(
        r"## (\w+)\n\n```text\n(.*?\n)```\n(?=\n##|$)", PAGE, regex.S
    )
    for line in block.splitlines()
]


def marked(text, preset):
    """The text with brackets around what the preset finds; spans that overlap are one."""
    inside = set()
    starts = {0}
    for start, end in sorted(Rules.of(preset).spans(text)):
        if start not in inside:
            starts.add(start)
        inside |= set(range(start, end))
    written = ""
    for at, sign in enumerate(text):
        opens = at in inside and (at - 1 not in inside or at in starts)
        closes = at - 1 in inside and (at not in inside or at in starts)
        written += "⟧" * (closes and at > 0) + "⟦" * opens + sign
    return written + "⟧" * (len(text) - 1 in inside)


@pytest.mark.parametrize(("preset", "line"), ROWS)
def test_the_page_says_what_a_preset_finds(preset, line) -> None:
    text = line.replace("⏎", "\n")
    assert marked(regex.sub("[⟦⟧]", "", text), preset) == text


def test_every_preset_is_on_the_page() -> None:
    assert list(dict.fromkeys(preset for preset, _ in ROWS)) == list(PRESETS)
    assert len(ROWS) >= 2 * len(PRESETS)


# Each of these, over and over, has been quadratic for some pattern, or might be.
SLOW = (
    *("a", "a.", "a@", "a@b.", "www.", "http://.", "1,", "1e", "-$", "{", "{{", "{%", "{{}", "${a"),
    *("%(", "%1$", "%0", "$", "$$", "$a", "`", "``a`b", "\n~~~", "```a", "\\[", "\\(", "\\a{", "\\begin{a}"),
    *("<!--", "<a", "&a", "@", "#a", "<|a", "\n ", "(", "[", "[A", "[A ", "A:", "n't", "<<", "<<a", "$1", "a.b/", "a-", "a.aa", "a.aa:1"),
)  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.slow
def test_presets_are_linear(preset) -> None:
    """100 kB of what made patterns slow; quadratic ones took minutes, all of these take seconds."""
    pattern = regex.compile(PRESETS[preset])
    for unit in SLOW:
        text = unit * (100_000 // len(unit))
        assert sum(1 for _ in pattern.finditer(text, timeout=30)) <= len(text), unit


PIECES = (
    *SLOW,
    *("WWW.", "wWw.a", "x://", "X://a", "\u0130", "\u212a", "%s", "%(n)d", "$name", "~~~", "</b>"),
    *("&amp;", "#tag", "`c`", "$x$", "\\alpha", "{x}", "a@b.de", " ", "\n", "word"),
)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@given(st.lists(st.sampled_from(PIECES), max_size=5).map("".join))
@settings(max_examples=200)
def test_a_text_that_a_preset_matches_is_not_left_out(preset, text) -> None:
    """What is passed over holds no match."""
    found = [match.span() for match in regex.finditer(PRESETS[preset], text)]
    assert presets.may_match(preset, text) or not found


@pytest.mark.parametrize("preset", PRESETS)
@given(st.lists(st.lists(st.sampled_from((*PIECES, *"1., ½a€\0\x1c")), max_size=9).map("".join)))
def test_many_texts_have_the_spans_that_each_has_alone(preset, texts) -> None:
    texts = [*texts, *[""] * protection._MANY]
    column = Strings.of_texts(texts)
    spans = Rules.of(preset).spans_of(column, lambda: texts)
    of_text = [Rules.of(preset).spans(text) for text in texts]
    assert sorted(zip(spans.starts, spans.ends, strict=True)) == sorted(
        (start + at, start + end)
        for start, own in zip(column.starts, of_text, strict=True)
        for at, end in own
    )


@pytest.mark.parametrize("preset", presets._APART)
def test_other_texts_between_those_asked_about_are_left_out(preset) -> None:
    texts = ["me@x.org or www.x.org/a", "{one} `two` @three", "me@y.org, /b {four} `five` #six"] * 2
    strings, written = Strings.of_texts(texts), Rules.of(preset)
    for rows in [0, 3], [1, 4], [2, 5], [1, 2, 4], []:
        some = strings.take(np.array(rows, np.intp))
        starts, ends = rules.found(written.written, written.patterns, some)
        alone = [
            (some.starts[at] + start, some.starts[at] + end)
            for at, row in enumerate(rows)
            for start, end in written.spans(texts[row])
        ]
        assert sorted(zip(starts.tolist(), ends.tolist(), strict=True)) == alone


def test_a_text_without_what_a_preset_needs_is_passed_over(monkeypatch) -> None:
    """Its pattern takes most of the time of a run that protects URLs, and most texts hold none."""
    asked = []
    monkeypatch.setattr(rules, "matches", lambda pattern, text: asked.append(text) or ())
    texts = ["How many eggs? 3. Why not!", "See HTTPS://a.example", "At Www.a.example"]
    for text in texts:
        Rules.of("url").spans(text)
    assert asked == texts[1:]


def test_environments_are_found_in_one_walk() -> None:
    names = "".join(f"\\begin{{a{number}}}" for number in range(5000))
    assert len(Rules.of("latex").spans(names)) == 5000
    nested = r"\begin{a}" * 5000 + r"\end{a}" * 5000
    assert max(end - start for start, end in Rules.of("latex").spans(nested)) == len(nested)


def test_a_pattern_that_takes_too_long_is_told(monkeypatch) -> None:
    """The pattern tries all ways to cut the text: 2**27 of them."""
    monkeypatch.setattr(user_patterns, "TIMEOUT", 0.01)
    text = "a" * 40 + "c"
    message = r"'\(a\|aa\)\+\$' took more than 0.01 s on the text 'aaa"
    with pytest.raises(perturb.DataError, match=message):
        perturb.apply(text, "char_delete", protect=r"regex:(a|aa)+$")
    with pytest.raises(perturb.DataError, match="slow: the pattern " + message):
        perturb.apply(text, perturb.from_regex("slow", r"(a|aa)+$", "b"))


def test_a_reverse_pattern_gives_edits_in_order() -> None:
    step = perturb.from_regex("backwards", r"(?r)\d\d", "#")
    record = perturb.apply("123 4567", step, p=1.0)
    assert (record.text, record.restore()) == ("1# ##", "123 4567")
    assert [edit.start for edit in record.edits] == [1, 4, 6]


def test_many_texts_of_json_are_as_each_alone() -> None:
    texts = [f'{{"name{number}": "ten red hens"}}' for number in range(100)]
    many = perturb.apply(texts, "char_delete", p=0.5, only="json")
    assert [each.text for each in many] == [
        perturb.apply(text, "char_delete", p=0.5, only="json").text for text in texts
    ]
