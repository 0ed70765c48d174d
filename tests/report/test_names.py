"""Two systems on a page are called by their names."""

import re

import linkage
import orjson
import pytest
from pages import unpacked

from perturb.cli import main


@pytest.mark.slow
def test_systems_have_their_names_everywhere(tmp_path):
    """Neither a table, nor a mark, nor a filter, nor a label calls them A and B."""
    for name, wrong in (("small", 20), ("large", 0)):
        rows = [{"id": str(n), "answer": "a", "prediction": "a", "topic": "x"} for n in range(60)]
        for step in ("typos@1:p=0.1", "typos@1:p=0.2", "tool@1:p=1"):
            expect = "abstain" if "tool" in step else "same"
            made = (linkage.row(n, step, expect=expect) for n in range(60))
            said = ["a" if n >= wrong else "I cannot know that." for n in range(60)]
            more = {"answer": "a", "topic": "x"}
            rows += [
                {**row, **more, "prediction": one} for row, one in zip(made, said, strict=True)
            ]
        (tmp_path / name).write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    out, files = tmp_path / "page.html", [str(tmp_path / name) for name in ("large", "small")]
    assert main(["compare", *files, "--slice", "topic", "--lose", "0.1", "-o", str(out)]) == 0
    page = out.read_text("utf-8")
    body = page[page.index("<body") : page.index("<script")]
    said = [*re.findall('aria-label="([^"]*)"', body), *re.sub("<[^>]*>", "\n", body).split("\n")]
    assert not [one for one in said if re.search(r"\bB\b|\b(of|in|than|−) A\b|^A$", one)]
    assert unpacked(page)["series"] == ["large", "small"]
    for words in ("small loses more", "small abstains more", "change of small", "small − large"):
        assert words in re.sub("<[^>]*>", "", body), words
