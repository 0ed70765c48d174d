"""TSV without quotes, as GLUE and Moses have it: a quote is a sign of the text."""

import json

import pytest

from perturb.cli import main
from tests.cli.test_shape_readers import by_tabs

# In the layout of QNLI; made for this test.
ROWS = [
    ["0", '"The hens lay sixteen eggs, she said.', "Who said that?", "entailment"],
    ["1", 'He calls them "the brown ones" today.', "Which ones?", "not_entailment"],
    ["2", '"All of it is in quotes"', '5" of snow', "entailment"],
    ["3", "Nothing here has any sign of that kind.", "What?", "entailment"],
]
HEAD = ["index", "sentence", "question", "label"]


def tsv(rows, end="\n"):
    return "".join("\t".join(row) + end for row in [HEAD, *rows])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("given", [[], ["--quoting", "none"], ["--format", "unquoted"]])
def test_all_but_the_field_is_as_it_was(given, end, tmp_path) -> None:
    source, out, back = (tmp_path / name for name in ("dev.tsv", "out.tsv", "back.tsv"))
    source.write_bytes(tsv(ROWS, end).encode())
    words = ["apply", "keyboard_typos", "-p", "0.2", "--field", "sentence", "--id-field", "index"]
    assert main([*words, *given, "--with-original", "-i", str(source), "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    assert main(["restore", str(out), "-o", str(back)]) == 0
    assert back.read_bytes() == source.read_bytes()
    rows = by_tabs(out)
    assert [row["question"] for row in rows] == [row[2] for row in ROWS for _ in "ab"]
    assert [row["sentence"] for row in rows[::2]] == [row[1] for row in ROWS]
    assert all(row["sentence"] != row["perturbation.original"] for row in rows[1::2])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (tsv(ROWS), "unquoted"),
        (tsv(ROWS[3:]), "tsv"),
        (tsv([["0", '"a ""b"" c"', '"d\te"', "x"]]), "tsv"),
        (tsv([["0", '"two\nlines"', "d", "x"]]), "tsv"),
        (tsv([["0", '"quoted"', "d", "x"]]), "tsv"),
        ('sentence\n"two\nlines"\n', "tsv"),
        (tsv([["0", '"short', "d"], *ROWS]), "tsv"),
    ],
)
def test_the_first_lines_tell(text, form, tmp_path) -> None:
    source, out = tmp_path / "in.tsv", tmp_path / "out.tsv"
    source.write_text(text)
    words = ["apply", "identity", "--field", "sentence", "-i", str(source), "-o", str(out)]
    assert main([*words, "--bad-lines", "skip"]) == 0
    manifest = json.loads((tmp_path / "out.tsv.manifest.json").read_text())
    assert manifest["input"]["format"] == manifest["output"]["format"] == form


def test_messages_name_the_way_out(tmp_path, capfd) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(tsv([["0", '"short', "d"], *ROWS]))
    words = ["apply", "identity", "--field", "sentence", "-i", str(source)]
    assert main(words) == 1
    assert "--quoting none reads TSV without quotes" in capfd.readouterr().err
    assert main([*words, "--quoting", "none", "--bad-lines", "skip"]) == 0
    assert main([*words, "--quoting", "none", "--format", "csv"]) == 2
    assert "--quoting none is for TSV" in capfd.readouterr().err
    source.write_text(tsv(ROWS))
    words[1] = "line_breaks:mode=wrap,width=12"
    assert main([*words, "-o", str(tmp_path / "out.tsv")]) == 1
    assert "a tab or a line break, and a field without quotes can't" in capfd.readouterr().err
    assert not (tmp_path / "out.tsv").exists()


def test_fit_reads_it_too(tmp_path, capfd) -> None:
    pairs, noise = tmp_path / "pairs.tsv", tmp_path / "noise.json"
    lines = [f'"The hens lay {n} eggs.\t"Teh hens lay {n} eggs.' for n in range(60)]
    pairs.write_text("\n".join(["clean\tnoisy", *lines, ""]))
    for given in ([], ["--quoting", "none"]):
        assert main(["fit", str(pairs), "-o", str(noise), *given]) == 0
    assert json.loads(noise.read_text())["rate"] > 0
    assert capfd.readouterr().err == ""
