"""Spans of passages: they follow the passage that each names, and the edits of its text."""

import json
import re

import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError, UsageError

FACTS = [
    "In Oslo since 1990, Oslo has 12 trams \U0001f68a.",
    "Bergen had 40 \U0001f327 days in 2019 and 2018.\nAnn Smith counted them.",
    "Niger lies south of Algeria, 2001–2009, and “Ann Smith” was there.",
]
STEPS = [
    *(f"passages:kind={kind}" for kind in ("shuffle", "repeat", "drop", "contradict", "stale")),
    "passages:kind=stale passages passages:kind=contradict passages:kind=stale",
    "passages:kind=repeat passages:kind=contradict passages:kind=stale passages:kind=drop",
]
SHAPES = {
    "texts": (FACTS, "contexts[*]", lambda held: held),
    "objects": (
        [{"id": f"d{n}", "title": "T 1999", "body": {"text": one}} for n, one in enumerate(FACTS)],
        "contexts[*].body.text",
        lambda held: [one["body"]["text"] for one in held],
    ),
    "columns": (
        {"url": ["a", "b", "c"], "title": ["1999", "2000", "x"], "text": FACTS},
        "contexts.text",
        lambda held: held["text"],
    ),
}


def words_of(text):
    """Spans of words and of what is between them, which are all of a text."""
    return [(*part.span(), part[0]) for part in re.finditer(r"\w+|\W+", text)]


def quoted(text, start, end, unit):
    size = {"characters": 4, "utf16": 2, "bytes": 1}[unit]
    codec = {"characters": "utf-32-le", "utf16": "utf-16-le", "bytes": "utf-8"}[unit]
    return text.encode(codec)[start * size : end * size].decode(codec)


def cites_of(unit):
    size = {"characters": len, "utf16": lambda part: len(part.encode("utf-16-le")) // 2}
    size["bytes"] = lambda part: len(part.encode())
    return [
        {"of": n, "start": size[unit](text[:start]), "end": size[unit](text[:end]), "quote": quote}
        for n, text in enumerate(FACTS)
        for start, end, quote in words_of(text)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize(
    ("shape", "unit"), [("texts", "utf16"), ("objects", "characters"), ("columns", "bytes")]
)
def test_spans_follow_their_passage_and_its_edits(steps, shape, unit) -> None:
    (contexts, path, texts), cites = SHAPES[shape], cites_of(unit)
    rows = [{"id": n, "contexts": contexts, "cites": cites} for n in range(5)]
    options = {"choices": "contexts", "target": "cites[*].of", "spans": f"{path}=cites"}
    seen = set()
    for row in perturb.augment(rows, steps, offsets=unit, **options):
        all_of = {}
        for now, before in zip(row["cites"], cites, strict=True):
            if now["of"] is None:
                assert now == {**before, "of": None}
                continue
            text = texts(row["contexts"])[now["of"]]
            assert quoted(text, now["start"], now["end"], unit) == now["quote"]
            all_of[text] = all_of.get(text, "") + now["quote"]
            seen |= {now["quote"]} - {before["quote"]}
        assert all(text == parts for text, parts in all_of.items())  # none of another place
        assert perturb.verify(row)
        assert perturb.restored(row)["cites"] == cites
    assert bool(seen) == ("contradict" in steps or "stale" in steps)


def test_noise_in_the_passages_moves_what_is_cited_in_them() -> None:
    rows = [{"id": n, "contexts": FACTS, "cites": cites_of("characters")} for n in range(4)]
    options = {"field": "contexts[*]", "choices": "contexts", "spans": "contexts[*]=cites"}
    grid = perturb.grid(["char_replace:p=0.3", "passages:kind=contradict"])
    for row in perturb.augment(rows, grid, target="cites[*].of", **options):
        for n, text in enumerate(row["contexts"]):
            assert "".join(one["quote"] for one in row["cites"] if one["of"] == n) == text
        assert perturb.restored(row)["cites"] == rows[0]["cites"]


def test_offsets_in_utf16_behind_a_longer_letter_follow() -> None:
    longer = perturb.from_function("longer", lambda text: text.replace("a", "\U0001d41a"))
    cites = [{"of": 0, "start": 3, "end": 6, "quote": "rot"}]
    row = {"id": 1, "contexts": ["an rot", "b"], "cites": cites}
    options = {"field": "contexts[*]", "choices": "contexts", "spans": "contexts[*]=cites"}
    (now,) = perturb.augment([row], longer, target="cites[*].of", offsets="utf16", **options)
    assert now["cites"] == [{"of": 0, "start": 4, "end": 7, "quote": "rot"}]


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["objects", "columns"])
def test_spans_in_a_passage_go_with_each_copy_of_it(shape) -> None:
    contexts = [{"text": one, "marks": [[*each[:2]] for each in words_of(one)]} for one in FACTS]
    if shape == "columns":
        contexts = {key: [one[key] for one in contexts] for key in contexts[0]}
    at = {"objects": "contexts[*].", "columns": "contexts."}[shape]
    spans = f"{at}text={at}marks" + "[*]" * (shape == "columns")
    rows = [{"id": n, "contexts": contexts} for n in range(4)]
    for steps in STEPS:
        for row in perturb.augment(rows, steps, choices="contexts", spans=spans):
            now = row["contexts"]
            pairs = (
                zip(now["text"], now["marks"], strict=True)
                if shape == "columns"
                else ((one["text"], one["marks"]) for one in now)
            )
            for text, marks in pairs:
                assert "".join(text[a:b] for a, b in marks) == text
            assert perturb.verify(row)
            assert perturb.restored(row)["contexts"] == contexts


def test_a_citation_may_be_of_the_id_of_a_document_in_anthropics_form() -> None:
    documents = [{"id": "a", "text": "Oslo has 12 trams."}, {"id": "b", "text": "It rains."}]
    cite = {"type": "char_location", "cited_text": "12 trams.", "document_index": 0}
    cite |= {"start_char_index": 9, "end_char_index": 18}
    row = {"id": 1, "docs": documents, "citations": [cite, {**cite, "document_index": None}]}
    options = {"choices": "docs", "spans": "docs[*].text=citations"}
    step = "passages:kind=contradict passages"
    target = "citations[*].document_index"
    for seed in range(9):
        (now,) = perturb.augment([row], step, seed=seed, target=target, **options)
        one, unnamed = now["citations"]
        text = now["docs"][one["document_index"]]["text"]
        assert text[one["start_char_index"] : one["end_char_index"]] == one["cited_text"]
        assert unnamed == row["citations"][1]


@pytest.mark.parametrize(("policy", "left"), [("drop", ["There"]), ("grow", ["There", "12"])])
def test_a_span_that_an_edit_touches(policy, left) -> None:
    cites = [{"of": 0, "start": 0, "end": 5, "quote": "There"}]
    cites.append({"of": 0, "start": 10, "end": 12, "quote": "12"})
    row = {"id": 1, "contexts": ["There are 12 trams.", "It rains."], "cites": cites}
    options = {"choices": "contexts", "target": "cites[*].of", "spans": "contexts=cites"}
    steps = "passages:kind=contradict passages"
    for seed in range(9):
        (now,) = perturb.augment([row], steps, seed=seed, span_policy=policy, **options)
        (text,) = (one for one in now["contexts"] if one != "It rains.")
        quotes = [one["quote"] for one in now["cites"]]
        assert quotes == [text.split()[at] for at in (0, 2)][: len(left)]
        assert {one["of"] for one in now["cites"]} == {now["contexts"].index(text)}
        assert perturb.restored(now)["cites"] == cites
    (now,) = perturb.augment([row], steps, span_policy="refuse", **options)
    assert (now["contexts"], now["perturbation"]["status"]) == (row["contexts"], "no site")


@pytest.mark.parametrize(
    ("cite", "options", "message"),
    [
        ({}, {"target": ()}, "must be of one text of one passage: name the field in it"),
        ({"of": [0, 1]}, {"target": "cites[*].of"}, "must be of one text of one passage"),
        ({"of": 7}, {"target": "cites[*].of"}, "the answer 7 names none of 3 items"),
        ({"end": 99}, {"target": "cites[*].of"}, "does not lie in its text"),
        ({"quote": "Oslo is"}, {"target": "cites[*].of"}, "says that its text is"),
    ],
)
def test_what_is_unclear_is_refused(cite, options, message) -> None:
    cites = [{"of": 0, "start": 0, "end": 4, **cite}]
    contexts = ["Oslo has 12 trams.", "It rains.", "It snows."]
    rows = [{"id": 1, "contexts": contexts, "cites": cites}]
    settings = {"choices": "contexts", "spans": "contexts=cites", **options}
    with pytest.raises(DataError, match=message):
        list(perturb.augment(rows, "passages:kind=contradict", **settings))


def test_of_several_texts_the_caller_names_one() -> None:
    cites = [{"of": 0, "start": 0, "end": 4}]
    rows = [{"id": 1, "docs": [{"title": "Oslo", "text": "Oslo has 12 trams."}], "cites": cites}]
    options = {"choices": "docs", "target": "cites[*].of"}
    for spans in ("docs[*].key=cites", "docs=cites", "cites"):
        with pytest.raises(DataError, match="must be of one text"):
            list(perturb.augment(rows, "passages:kind=stale", spans=spans, **options))
    with pytest.raises(UsageError, match="the fields to perturb are"):
        list(perturb.augment(rows, "passages:kind=stale", spans="text=cites", **options))
    (now,) = perturb.augment(
        rows, "passages:kind=contradict", spans="docs[*].text=cites", **options
    )
    assert now["docs"] != rows[0]["docs"]


def test_offsets_into_a_rewritten_passage_that_nobody_names_are_told_of(tmp_path, capfd) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    row = {"docs": [{"text": "Oslo has 12 trams."}, {"text": "It rains."}]}
    row |= {"cites": [{"of": 0, "start_char_index": 0, "end_char_index": 4, "cited_text": "Oslo"}]}
    source.write_text(json.dumps(row) + "\n", "utf-8")
    words = ["--choices", "docs", "--target", "cites[*].of", "-i", str(source), "-o", str(output)]
    for kind, more, note in (
        ("shuffle", [], ""),
        ("contradict", [], "'cites[*]' has offsets into 'docs[*]' in 1: these fields stay"),
        ("contradict", ["--copies", "ignore"], ""),
        ("contradict", ["--spans", "docs[*].text=cites"], ""),
    ):
        assert main(["apply", f"passages:kind={kind}", *words, *more]) == 0
        said = capfd.readouterr().err
        assert note in said if note else not said


@pytest.mark.parametrize(("targets", "kept"), [(["gold"], ["b", "c"]), ([], ["c"])])
def test_what_an_answer_cites_is_gold_only_where_nothing_else_says_what_is(targets, kept) -> None:
    docs = [{"id": name, "text": fact} for name, fact in zip("abc", FACTS, strict=True)]
    cites = [{"of": name, "start": 0, "end": 2} for name in "ab"]
    row = {"id": 1, "docs": docs, "gold": "a", "cites": cites}
    targets = [*targets, "cites[*].of"]
    options = {"choices": "docs", "target": targets, "spans": "docs[*].text=cites"}
    if not targets[1:]:
        options["fixed"] = ["gold"]
    (made,) = perturb.augment([row], "passages:kind=drop_gold", p=1, **options)
    assert [each["id"] for each in made["docs"]] == kept
    assert [each["of"] for each in made["cites"]] == [None, "b" if "b" in kept else None]
