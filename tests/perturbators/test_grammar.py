"""Errors of grammar, and features of varieties of English."""

import json
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.batch import Batch
from perturb.engine.text.strings import repeated
from perturb.perturbators.people import dialect, grammar
from perturb.perturbators.people.dialect import _FEATURES, Variety, _numbers, _written
from perturb.perturbators.shared.clauses import tags_of
from perturb.perturbators.shared.written import Written, in_order
from perturb.resources import read_rows

ROOT = Path(__file__).parents[2]
QUESTIONS = ROOT / "examples/questions.jsonl"


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("He ate two apples and saw mice.", "noun", "He ate two apple and saw mouse."),
        ("She walks home, it is late and the eggs are good.", "agreement",
         "She walk home, it are late and the eggs is good."),
        ("He gave it and has eaten; it is raining.", "verb",
         "He give it and has eat; it is rain."),
        ("I, you and Rome", "any", None),
        ("Is it good? How are you?", "agreement", None),
    ],
)  # fmt: skip
def test_one_kind(text, kind, wanted):
    assert str(perturb.apply(text, perturb.steps.grammar_errors(p=1, kind=kind))) == (
        wanted or text
    )


def test_articles_go_or_change():
    texts = ["He saw a dog and the eagle near an owl."] * 300
    made = perturb.apply(
        texts, perturb.steps.grammar_errors(p=1, kind="article"), id=list(range(300))
    )
    texts = [edit.text for record in made for edit in record.edits]
    assert len(texts) == 900
    assert set(texts) == {"", "the", "an"}
    # Binomial, N = 900, expected 2230 of 2839: 4.5 standard deviations.
    assert texts.count("") / 900 == pytest.approx(0.785, abs=0.062)


def test_prepositions_are_confused_as_the_table_says():
    rows = {}
    for word, other in read_rows("english", "prepositions.tsv"):
        rows.setdefault(word, set()).add(other)
    texts = ["She waited for Ann at home with a book about the sea."] * 100
    made = perturb.apply(
        texts, perturb.steps.grammar_errors(p=1, kind="preposition"), id=list(range(100))
    )
    for record in made:
        assert len(record.edits) == 4
        for edit in record.edits:
            assert edit.text in rows[edit.removed.strip()] | {""}
    lost = sum(not edit.text for record in made for edit in record.edits)
    # Binomial, N = 400, expected 1105 of 3723: 4.5 standard deviations.
    assert lost / 400 == pytest.approx(0.297, abs=0.1)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We go to school by car with red bags.", "to the school by the car with the red bags"),
        ("Of course Ann saw a dog in Rome and my cats.", "Of course Ann saw a dog in Rome and my"),
        ("They discussed it and gave Tom the keys.", "discussed about it and gave to Tom the"),
    ],
)
def test_words_are_added_where_learners_add_them(text, wanted):
    made = ""
    kinds = ["added article", "added preposition"]
    places = in_order([grammar.SORTS[kind].find(Batch.of([text]), 1.0) for kind in kinds])
    at = 0
    for start, new in zip(places.starts - 1, places.texts.to_list(), strict=True):
        made, at = made + text[at:start] + new, start
    assert wanted in made + text[at:]


@pytest.mark.slow
def test_the_shares_are_those_of_the_counts():
    """On the questions that ship, which have the places that the weights are fitted to."""
    files = (
        "examples/questions.jsonl",
        "benchmarks/data/risk_texts.jsonl",
        "benchmarks/data/spelling_texts.jsonl",
    )
    lines = [line for file in files for line in (ROOT / file).read_text("utf-8").splitlines()]
    texts = [
        text for text in (json.loads(line)["question"] for line in lines) if text.isascii()
    ] * 40
    batch = Batch.of(texts)
    batch.keys[:] = np.arange(len(texts), dtype=np.uint64) * 7919
    sites = grammar.grammar_errors.find(batch)
    spans = [*zip(sites.starts.tolist(), sites.ends.tolist(), strict=True)]
    for kind, sort in grammar.SORTS.items():
        places = sort.find(batch, 1.0)
        mine = {*zip(places.starts.tolist(), places.ends.tolist(), strict=True)}
        share = sum(span in mine for span in spans) / len(spans)
        # Some 15,000 sites; a place may be of two kinds, of which the first counts.
        wanted = sort.errors / sum(other.errors for other in grammar.SORTS.values())
        assert share == pytest.approx(wanted, abs=0.015), kind


FEATURES = [
    (7, "Tom and I left.", "Tom and me left."),
    (7, "He left, and I stayed. It broke and I saw. My wife and I ate.", "He left, and I stayed. It broke and I saw. My wife and me ate."),
    (56, "It is five miles and 3 pounds, not many miles.", "It is five mile and 3 pound, not many miles."),
    (62, "She left in the morning.", "She left in morning."),
    (68, "I like those boys.", "I like them boys."),
    (78, "He is bigger than her, and much smaller.", "He is more bigger than her, and much smaller."),
    (88, "She knows it and they want it. I know it.", "She is knowing it and they are wanting it. I am knowing it."),
    (98, "He has just eaten.", "He is after eating."),
    (121, "She might go.", "She might could go."),
    (129, "He came home.", "He come home."),
    (130, "She has eaten.", "She has ate."),
    (131, "I saw it.", "I seen it."),
    (154, "She doesn't have any money. Any will do.", "She doesn't have no money. Any will do."),
    (155, "He isn't here; they are not.", "He ain't here; they ain't."),
    (156, "He hasn't gone.", "He ain't gone."),
    (158, "He doesn't eat.", "He don't eat."),
    (159, "He didn't come.", "He never came."),
    (170, "She walks home.", "She walk home."),
    (172, "There are two.", "There's two."),
    (174, "They are running. Are they running?", "They running. Are they running?"),
    (176, "He is a doctor.", "He a doctor."),
    (177, "She is tall.", "She tall."),
    (180, "They were late.", "They was late."),
    (220, "It is really good.", "It is real good."),
    (221, "He runs quickly.", "He runs quick."),
]  # fmt: skip


@pytest.mark.parametrize(("number", "text", "wanted"), FEATURES)
def test_features(number, text, wanted):
    found = _written(Batch.of([text]), (number,))
    made, at = "", 0
    for start, end, new in zip(
        found.starts - 1, found.ends - 1, found.texts.to_list(), strict=True
    ):
        made += text[at:start] + new
        at = end
    assert made + text[at:] == wanted


def test_dialect_asks_for_no_tag_that_its_words_do_not_have(monkeypatch):
    """As if all words had been tagged."""
    texts = [json.loads(line)["question"] for line in QUESTIONS.read_text("utf-8").splitlines()]
    batch = Batch.of([*texts, *(row[1] for row in FEATURES)])
    of_few = _written(batch, tuple(_FEATURES))
    monkeypatch.setattr(dialect, "_tags", tags_of)
    of_all = _written(Batch(batch.texts, batch.keys), tuple(_FEATURES))
    assert of_few.starts.tolist() == of_all.starts.tolist()
    assert of_few.texts.to_list() == of_all.texts.to_list()
    assert len(of_few.starts) > len(texts)


@given(st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), max_size=8), max_size=5))
def test_rules_are_put_in_order_as_by_a_walk(rules):
    """Where two meet the first stays; of two at one place the shorter, then the earlier rule's."""
    places = sorted(
        {(start, start + length, n) for n, rule in enumerate(rules) for start, length in rule}
    )
    expected, end = [], -1
    for start, stop, n in places:
        if start > end:
            expected.append((start, stop, str(n)))
            end = stop
        end = max(end, stop)
    columns = [[place for place in places if place[2] == n] for n in range(len(rules))]
    ordered = in_order(
        [
            Written(
                np.array([start for start, _, _ in column], np.int64),
                np.array([stop for _, stop, _ in column], np.int64),
                repeated(str(n), len(column)),
            )
            for n, column in enumerate([*columns, []])
        ]
    )
    rows = zip(ordered.starts.tolist(), ordered.ends.tolist(), ordered.texts.to_list(), strict=True)
    assert [*rows] == expected


def test_each_variety_has_its_features():
    for variety in get_args(Variety):
        numbers = _numbers(variety)
        assert 5 <= len(numbers) <= len(_FEATURES)
        assert set(numbers) <= set(_FEATURES)
    assert 174 in _numbers("african_american")
    assert 98 in _numbers("irish")
    assert 98 not in _numbers("indian")
