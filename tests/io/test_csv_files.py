"""Rows of separated values are written as the standard library writes them."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from perturb.io.csv_files import Dialect, _written

CELLS = st.text(st.sampled_from("ab ,;\t|\"\r\n\0'\\\u2028é😀"), max_size=6)
DIALECTS = st.builds(
    Dialect, st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n"]), quote_all=st.booleans()
)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=3), max_size=3), DIALECTS)
def test_rows_are_written_as_by_the_standard_library(rows, dialect) -> None:
    """Of which not all versions quote all line ends, unless the row's own has both."""
    made = []
    for row in rows:
        file = io.StringIO()
        quoting = csv.QUOTE_ALL if dialect.quote_all else csv.QUOTE_MINIMAL
        csv.writer(file, delimiter=dialect.delimiter, quoting=quoting).writerow(row)
        made.append(file.getvalue().removesuffix("\r\n") + dialect.line_end)
    assert _written(rows, dialect) == "".join(made)
