"""The facts about code points: the compiled table against the one that is read by people."""

import numpy as np
import pytest
from unicode_properties import numbered

from perturb import resources
from perturb.engine.text import characters
from perturb.engine.text.characters import CODE_POINTS, Break, Kind, Script

ENUMS = (Kind, Break, Script)


def test_the_compiled_table_is_that_of_the_text():
    """If the table was meant to change: python wordlists/build/unicode_properties.py."""
    rows = resources.read_rows("unicode", "properties.tsv")
    stored = np.load(resources.path("unicode", "properties.npy"))
    assert stored.dtype == np.dtype("<i4")
    assert np.array_equal(stored, numbered(rows))


@pytest.mark.slow
def test_each_code_point_has_the_words_of_its_row():
    """One by one, without the runs and the numbers of the compiled table."""
    expected = [["other"] * CODE_POINTS for _ in ENUMS]
    for first, last, *words in resources.read_rows("unicode", "properties.tsv"):
        for column, word in zip(expected, words, strict=True):
            places = slice(int(first, 16), int(last, 16) + 1)
            column[places] = [word] * len(range(places.start, places.stop))
    tables = (characters.kinds(), characters.breaks(), characters.scripts())
    for enum, found, column in zip(ENUMS, tables, expected, strict=True):
        words = np.array([one.name.lower() for one in enum])
        assert np.array_equal(words[found], column)
        assert not found.flags.writeable


@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:-9], lambda data: data[9:]]
)
def test_a_damaged_table_is_told(tmp_path, monkeypatch, damage):
    data = resources.path("unicode", "properties.npy").read_bytes()
    (tmp_path / "unicode").mkdir()
    (tmp_path / "unicode" / "properties.npy").write_bytes(damage(data))
    monkeypatch.setattr(resources, "_FOLDER", tmp_path)
    with pytest.raises(resources.TableError, match=r"properties\.npy is damaged: .*Reinstall"):
        characters._runs.__wrapped__()
