"""Rules that protect spans: found, read back, and refused."""

import pytest
import regex
from hypothesis import strategies as st

from perturb.engine.presets import PRESETS
from perturb.engine.protection import Rules
from perturb.errors import UsageError
from perturb.testing import HOSTILE, texts

some_texts = st.lists(texts, max_size=5)


@pytest.mark.parametrize(
    ("preset", "text", "wanted"),
    [
        ("word:the", "the theme, the end", ["the", "the"]),
        (r"regex:\d+", "a1b22", ["1", "22"]),
    ],
)  # fmt: skip
def test_rules_find(preset, text, wanted) -> None:
    assert [text[slice(*span)] for span in Rules.of(preset).spans(text)] == wanted


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_presets_take_any_text(preset, text) -> None:
    assert all(start < end for start, end in Rules.of(preset).spans(text * 20))


def test_rules_read_back_what_they_write() -> None:
    rules = Rules.of(["url", "word:x", regex.compile("a.b", regex.I | regex.S), (1, 2)])
    listed = [*rules.written, *map(list, rules.offsets)]
    again = Rules.of(listed)
    text = "x A\nB http://a.b/"
    assert again.spans(text) == rules.spans(text)
    assert listed == ["url", "word:x", "regex:(?is:a.b)", [1, 2]]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("urll", "unknown protection 'urll': did you mean url"),
        ("regex:(", "isn't a regular expression"),
        ("word:", "unknown protection"),
        ([(3, 1)], "a span is a pair"),
        (3.5, "can't read the rule 3.5"),
    ],
)
def test_rules_refuse(rule, message) -> None:
    with pytest.raises(UsageError, match=message):
        Rules.of(rule)
