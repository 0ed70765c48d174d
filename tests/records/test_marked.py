"""Records in hand: diffs in each style, tables of a notebook, hashes."""

import pickle
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.rows.stored import record_of
from perturb.testing import texts

HOSTILE = '<script>alert(1)</script> & \u202egnissim\x1b[31m "quoted"'


@pytest.mark.slow
@given(texts, st.integers(0, 9))
def test_both_texts_can_be_read_off_a_diff(text, seed) -> None:
    """In HTML, where marks can't be confused with text: without `ins` it is the original."""
    record = perturb.apply(text, ["char_delete:p=0.2", "char_insert:p=0.2"], seed=seed)
    shown = record.diff("html")
    before = unescape(re.sub(r"<ins .*?</ins>|</?del[^>]*>", "", shown, flags=re.DOTALL))
    after = unescape(re.sub(r"<del .*?</del>|</?ins[^>]*>", "", shown, flags=re.DOTALL))
    if text.isprintable() and record.text.isprintable():
        assert (before, after) == (record.original, record.text)
    assert set(before + after) <= {*filter(str.isprintable, before + after), *"\t\n\r"}


def test_each_style() -> None:
    record = perturb.apply("Keep calm", "char_delete", p=0.5)
    assert record.diff() == record.diff("plain") == "[-K-]ee[-p-] [-c-]a[-l-][-m-]"
    assert record.diff("ansi").count("\x1b[31;9m") == len(record.edits)
    with pytest.raises(perturb.UsageError, match="unknown style 'htm': did you mean html"):
        record.diff("htm")


def test_a_notebook_shows_texts_as_text() -> None:
    records = perturb.apply([HOSTILE] * 30, "char_swap", p=0.2)
    page = records._repr_html_()
    assert page.count("<tr>") == 21
    assert "and 10 more" in page
    assert not re.search(r"<script|\x1b|\u202e", page)
    assert records[0]._repr_html_() == records[:1]._repr_html_()
    assert "no site" in perturb.apply("", "char_swap")._repr_html_()


def test_lists_stay_lists() -> None:
    records = perturb.apply(["one", "two"], "char_swap", p=0.5)
    assert isinstance(records, list)
    assert type(records[:1]) is perturb.RecordList
    assert pickle.loads(pickle.dumps(records)) == records == list(records)


def test_equal_records_have_one_hash() -> None:
    record = perturb.apply("Keep calm", "char_delete", p=0.5)
    again = record_of(record.to_dict())
    others = [perturb.apply("Keep calm", "char_delete", p=0.5, seed=seed) for seed in range(3)]
    assert {record, again} == {record}
    assert len({record, *others}) == 3
