"""The table of formats, and what is made of it."""

import sys
from pathlib import Path

import pytest

from perturb.errors import UsageError
from perturb.io.files import COMPRESSIONS
from perturb.io.formats import FORMATS, format_of

sys.path.append(str(Path(__file__).parents[2] / "scripts"))
import formats


def test_pages_list_every_format_shape_and_perturbator():
    """As `python scripts/formats.py` writes them, with all suffixes."""
    for page in formats.LISTS:
        assert formats.with_list(page) == page.read_text("utf-8")
    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert not [end for end in (*suffixes, *COMPRESSIONS) if f"`{end}`" not in formats.listed()]


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_names_tell_formats(form, tmp_path):
    """Also in capitals, and for compressed files, but for what is compressed within, or two files."""
    for suffix in form.suffixes:
        assert format_of(f"in{suffix.upper()}", form.name) is form
        for end in COMPRESSIONS:
            name = f"{tmp_path}/in{suffix}{end}"
            if not form.packs:
                with pytest.raises(UsageError, match=r"own data|is two files"):
                    format_of(name)
            else:
                assert format_of(name, form.name) is form


def test_the_first_format_of_a_suffix_is_that_of_a_name_alone():
    assert [format_of(f"in{end}").name for end in (".txt", ".csv")] == ["text", "csv"]


def test_an_unknown_format_is_told():
    with pytest.raises(UsageError, match="unknown format 'xml'"):
        format_of("-", "xml")
