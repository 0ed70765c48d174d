"""Passages with another fact in the place of one, or with older dates."""

import re

import perturb
from tests.perturbators.test_passages import made

FACTS = ["Oslo is the capital of Norway.", "In 2019 it had 700 pupils.", "Ann Smith met him."]


def test_a_contradiction_changes_one_fact_everywhere() -> None:
    seen = set()
    contexts = [f"{one}\nSo {one}" for one in FACTS]
    for row in made("passages:kind=contradict", contexts=contexts, ids=["a", "b", "c"]):
        assert row["ids"] == ["a", "b", "c"]
        (at,) = [n for n, one in enumerate(row["contexts"]) if one != contexts[n]]
        first, _, second = row["contexts"][at].partition("\nSo ")
        assert first == second
        (before,) = {*FACTS[at].split()} - {*first.split()}
        seen.add(before)
        if before == "2019":
            assert re.match(r"In 201[^9] it had 700 pupils.", first)
    assert {"Oslo", "Norway.", "2019", "700", "Ann", "Smith"} == seen


def test_a_stale_passage_has_older_years_alone() -> None:
    text = "In 1939–1945, 1948, on 2019-05-01 and March 5, 2017 (1999), the 2019 cup: 2000 eggs, $2000, 5-1998."
    back = set()
    for row in made("passages:kind=stale", contexts=[text, "Bergen."]):
        (now, other) = row["contexts"]
        pairs = zip(re.findall(r"\d{4}", text), re.findall(r"\d{4}", now), strict=True)
        steps = [int(before) - int(after) for before, after in pairs]
        assert (len({*steps[:7]}), steps[7:], other) == (1, [0, 0, 0], "Bergen.")
        back.add(steps[0])
    assert back == {1, 2, 3}


def test_a_rewritten_passage_keeps_its_ids_and_is_still_the_gold_one() -> None:
    contexts = [{"id": "Oslo-1", "n": 1.50, "title": "Oslo", "text": FACTS[0]}]
    for row in made("passages:kind=contradict_gold", contexts=contexts, gold=FACTS[0]):
        (one,) = row["contexts"]
        assert (one["id"], one["title"]) == ("Oslo-1", "Oslo")
        assert re.fullmatch(r"Oslo is the capital of (?!Norway)[\w ]+\.", one["text"])
        assert (row["gold"], row["perturbation"]["expect"]) == (one["text"], "unknown")
    for row in made("passages:kind=contradict_other", contexts=FACTS, gold=0):
        assert (row["contexts"][0], row["perturbation"]["expect"]) == (FACTS[0], "same")


def test_days_and_codes_are_no_numbers() -> None:
    text = "on May 18, by 4 July, at 9:30, in borehole 10-x and 3D, of 12 holes"
    texts = {row["contexts"][0] for row in made("passages:kind=contradict", contexts=[text])}
    assert all(re.fullmatch(text.replace("12", r"[2-9]2"), one) for one in texts)


def test_an_old_year_becomes_another_year() -> None:
    texts = {row["contexts"][0] for row in made("passages:kind=contradict", contexts=["in 1891"])}
    assert texts <= {f"in 189{digit}" for digit in "023456789"}


def test_what_says_nothing_of_the_world_is_not_contradicted() -> None:
    for kind in ("contradict", "stale"):
        (row,) = made(f"passages:kind={kind}", 1, ["It rains.", ""])
        assert row["perturbation"]["status"] == "no site"


def test_a_system_that_reads_follows_a_contradiction_and_a_constant_one_does_not() -> None:
    row = {"question": "Where does she live?", "contexts": ["She lives in Oslo.", "It rains."]}
    rows = [{"id": n, **row, "answer": "Oslo", "gold": 0} for n in range(60)]
    grid = perturb.grid(["passages:kind=contradict_gold", "char_swap:count=2"])
    options = {"field": "question", "choices": "contexts", "target": "gold", "with_original": True}
    expect = {"passages:kind=contradict_gold": "other"}
    made = list(perturb.augment(rows, grid, expect=expect, **options))
    systems = {
        "Insensitive": lambda _: "Oslo",
        "Sensitive": lambda row: row["contexts"][row["gold"]].split(" in ")[1].strip("."),
    }
    for verdict, system in systems.items():
        answered = [{**row, "prediction": system(row)} for row in made]
        said = perturb.robustness.score(answered).sentence
        assert f"{verdict} under passages" in said
