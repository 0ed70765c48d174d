"""Every step on each format of annotations: right, or refused with the reason.

Each is at p = .3 on two formats, and at 1 on the other two.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import SPECS
from lines import rows_in

from perturb.cli import main

sys.path += [str(Path(__file__).parents[1] / name) for name in ("io", "cli")]
import test_brat_files as brat
import test_conllu_files as conllu
import test_shapes as shapes
import test_webanno_files as webanno

# Tokens that are split, emptied or moved; and a text that CoNLL-U has no place for.
REASON = r"can't be kept: \S|is left empty|isn't a single line"


def check_brat(source: Path, out: Path) -> None:
    found = brat.read(out)
    assert found.keys() == brat.read(source).keys()
    assert all(told == stands for told, stands in found.values())
    assert out.read_text("utf-8").endswith(brat.OTHERS)


def check_conllu(source: Path, out: Path) -> None:
    text, others = out.read_text("utf-8"), (0, *range(2, 9))
    assert conllu.columns(text, *others) == conllu.columns(conllu.TREEBANK, *others)
    again = out.with_name("again.conllu")
    assert main(["apply", "case:p=0", "-i", str(out), "-o", str(again)]) == 0
    assert again.read_text("utf-8") == re.sub("(# sent_id.*)", r"\1#case:p=0", text)


def check_results(source: Path, out: Path) -> None:
    for row, before in zip(rows_in(out), rows_in(source), strict=True):
        values = shapes.of_results(row)
        assert len(values) == len(shapes.of_results(before))
        for value in values:
            assert row["data"]["text"][value["start"] : value["end"]] == value["text"]


def check_webanno(source: Path, out: Path) -> None:
    webanno.check(out, source)


def results(folder: Path) -> Path:
    return shapes.written("label_studio", folder, 3)


def treebank(folder: Path) -> Path:
    (folder / "in.conllu").write_text(conllu.TREEBANK, "utf-8", newline="")
    return folder / "in.conllu"


def document(folder: Path) -> Path:
    (folder / "in.tsv").write_text(webanno.DOCUMENT, "utf-8", newline="")
    return folder / "in.tsv"


FORMS: dict[str, tuple[Callable[[Path], Path], Callable[[Path, Path], None], int]] = {
    # How a file is made and checked, and in how many calls in a hundred steps are right at least.
    "brat": (lambda folder: brat.put(folder, "in"), check_brat, 95),
    "conllu": (treebank, check_conllu, 75),
    "label_studio": (results, check_results, 100),
    "webanno": (document, check_webanno, 70),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_every_step_is_right_or_refused_with_the_reason(form, tmp_path, capfd) -> None:
    make, check, least = FORMS[form]
    source = make(tmp_path)
    out, right, at = tmp_path / f"out{source.suffix}", 0, [*FORMS].index(form)
    more = ["--shape", form] if form in shapes.SHAPES else []
    for number, spec in enumerate(SPECS, at):
        p = ("0.3", "1")[number % 2]
        status = main(["apply", spec, "-p", p, *more, "-i", str(source), "-o", str(out)])
        told = capfd.readouterr().err
        if status == 0:
            check(source, out)
            right += 1
        else:
            assert (status, bool(re.search(REASON, told))) == (1, True), told
    assert right / len(SPECS) * 100 >= least
