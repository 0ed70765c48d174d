"""Tables as text: what stands below a row, and how often."""

from perturb.robustness.tables.formats import Table, VerdictWord, as_pieces, as_text


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


def test_a_table_that_is_too_wide_is_folded_to_a_terminal():
    """As that of two systems, whose names are in its head and its verdicts."""
    header = (
        "condition",
        "first-model",
        "other-model",
        "other-model - first-model [95 %]",
        "verdict",
    )
    change = "+0.220 [+0.140, +0.310]"
    word = VerdictWord("other-model tolerates more", "B tolerates more")
    cells = [("keyboard_typos: loses 0.05", "8.75 % [0, 30]", "> 30 % [30, > 30]", change, word)]
    table = Table("A sentence.", header, cells, [""], set())
    lines = as_text(table).split("\n")
    assert max(map(len, lines)) <= 80
    columns = [*zip(*(line.ljust(80).split("|") for line in lines if " | " in line), strict=True)]
    joined = [" ".join(" ".join(column).split()) for column in columns]
    assert joined == [f"{name} {cell}" for name, cell in zip(header, cells[0], strict=True)]
    assert "[+0.140, +0.310]" in as_text(table)
    words = [piece for piece in as_pieces(table) if isinstance(piece, VerdictWord)]
    assert {word.kind for word in words} == {"B tolerates more"}
    assert " ".join(words) == "other-model tolerates more"
