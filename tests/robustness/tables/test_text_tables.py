"""Tables as text: what stands below a row, and how often."""

from perturb.robustness.tables.formats import Table, as_text


def test_a_reason_is_told_below_the_first_row_that_has_it():
    """Two of three rows have one reason; that of the third is told by the sentence."""
    reasons = ["no row was changed", "no row was changed", "it refuses"]
    cells = [(name, "cannot judge") for name in "abc"]
    table = Table("C: it refuses.", ("condition", "verdict"), cells, reasons, {"it refuses"})
    assert as_text(table).split("\n")[-4:] == [
        "a         | cannot judge",
        "  no row was changed",
        "b         | cannot judge",
        "c         | cannot judge",
    ]
