"""Passages that a question is asked about: moved, repeated, dropped and added as a whole."""

import json
import re

import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError, UsageError

CONTEXTS = ["Oslo is the capital\nof Norway.", "Bergen rains.", "Trondheim has a cathedral."]
POOL = ["Llamas spit.", "Bergen rains.", "Salt is a mineral."]
STEPS = ["passages", "passages:kind=repeat", "passages:kind=drop"]


@pytest.fixture
def pool(tmp_path):
    path = tmp_path / "pool.txt"
    path.write_text("".join(f"{line}\n" for line in POOL), "utf-8")
    return str(path)


def distract(pool):
    return f"passages:kind=distract,pool={json.dumps(pool)}"


def made(step, count=40, contexts=CONTEXTS, choices="contexts", fixed=(), **more):
    """Rows after a step, each proven and brought back."""
    rows = [{"id": f"r{n}", "contexts": contexts, **more} for n in range(count)]
    target = [name for name in more if name not in fixed]
    options = {"choices": choices, "target": target, "fixed": fixed}
    found = list(perturb.augment(rows, step, **options))
    trust = re.findall('pool="(.*?)"', step)
    for row, own in zip(found, rows, strict=True):
        assert perturb.verify(row, trust=trust)
        assert perturb.restored(row) == own
    return found


def test_a_shuffle_moves_each_with_what_belongs_to_it() -> None:
    more = {"ids": ["a", "b", "c"], "scores": [0.5, 1, 2.0], "gold": 1, "one": "c", "at": [2, 0]}
    orders = set()
    for row in made("passages", **more):
        order = tuple(CONTEXTS.index(one) for one in row["contexts"])
        orders.add(order)
        assert row["ids"] == [more["ids"][place] for place in order]
        assert row["scores"] == [more["scores"][place] for place in order]
        assert order[row["gold"]] == 1
        assert [order[place] for place in row["at"]] == [2, 0]
        assert row["one"] == "c"
        assert row["perturbation"]["expect"] == "same"
    assert len(orders) == 5  # all but the present one


def test_a_repeated_passage_is_there_twice_with_its_id_and_flag() -> None:
    places = set()
    for row in made("passages:kind=repeat", ids=["a", "b", "c"], flags=[False, True, False]):
        contexts = row["contexts"]
        (twice,) = {one for one in contexts if contexts.count(one) == 2}
        places |= {n for n, one in enumerate(contexts) if one == twice}
        assert [one == "Bergen rains." for one in contexts] == row["flags"]
        assert [CONTEXTS["abc".index(name)] for name in row["ids"]] == contexts
    assert places == {0, 1, 2, 3}


def test_a_distractor_is_of_the_pool_and_no_copy(pool) -> None:
    new = set()
    for row in made(distract(pool), ids=["a", "b", "c"], gold="Bergen rains.", flags=[0, 1, 0]):
        at = row["ids"].index(None)
        new.add(row["contexts"][at])
        assert row["contexts"][:at] + row["contexts"][at + 1 :] == CONTEXTS
        assert row["flags"] == [int(one == row["gold"]) for one in row["contexts"]]
    assert new == {"Llamas spit.", "Salt is a mineral."}


def test_a_row_depends_on_nothing_but_itself(pool) -> None:
    step = distract(pool)
    alone = {"id": "r7", "contexts": CONTEXTS}
    assert list(perturb.augment([alone], step, choices="contexts")) == made(step)[7:8]


def test_a_lost_gold_passage_is_named_no_more() -> None:
    more = {"ids": ["a", "b", "c"], "gold": ["c", "a"], "number": 2}
    for row in made("passages:kind=drop_gold", **more):
        assert (row["contexts"], row["ids"]) == (["Bergen rains."], ["b"])
        assert (row["gold"], row["number"]) == ([None, None], None)
        assert row["perturbation"]["expect"] == "abstain"


@pytest.mark.parametrize(
    ("step", "expect"),
    [
        ("passages:kind=drop", "unknown"),
        ("passages:kind=drop_other", "same"),
        ("passages:kind=repeat", "same"),
    ],
)
def test_what_becomes_of_the_answer(step, expect) -> None:
    for row in made(step, gold=1):
        assert row["perturbation"]["expect"] == expect
        if expect == "same":
            assert row["contexts"][row["gold"]] == "Bergen rains."


def test_the_caller_has_the_last_word() -> None:
    rows = [{"id": 1, "contexts": CONTEXTS}]
    (row,) = perturb.augment(rows, "passages:kind=drop", choices="contexts", expect="abstain")
    assert row["perturbation"]["expect"] == "abstain"


SHAPES = {
    "objects": ([{"id": f"d{n}", "text": text, "n": n} for n, text in enumerate(CONTEXTS)], "d1"),
    "numbered": ([{"docid": n + 7, "text": text} for n, text in enumerate(CONTEXTS)], 8),
    "titled": ([[text[:4], [text, "More."]] for text in CONTEXTS], "Berg"),
    "columns": ({"title": ["a", "b", "c"], "text": CONTEXTS, "n": [1.0, 2.5, 3e9]}, "b"),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["shuffle", "repeat", "drop"])
def test_items_of_any_shape_move_whole(shape, kind) -> None:
    contexts, gold = SHAPES[shape]
    whole = set(map(repr, items(contexts)))
    for row in made(f"passages:kind={kind}", contexts=contexts, gold=gold):
        now = list(map(repr, items(row["contexts"])))
        assert {*now} <= whole
        assert len(now) == 3 + {"shuffle": 0, "repeat": 1, "drop": -1}[kind]
        assert row["gold"] == (gold if repr(gold) in "".join(now) else None)


def items(contexts):
    if isinstance(contexts, dict):
        return [*zip(*contexts.values(), strict=True)]
    return contexts


@pytest.mark.parametrize(
    ("contexts", "path"),
    [
        ([{"text": "a", "gold": False}, {"text": "b", "gold": True}], "contexts[*].gold"),
        ({"text": ["a", "b"], "is_selected": [0, 1]}, "contexts.is_selected"),
    ],
)
def test_flags_in_the_items_name_the_gold_one(contexts, path) -> None:
    rows = [{"id": n, "contexts": contexts} for n in range(9)]
    step = "passages:kind=drop_gold"
    for row in perturb.augment(rows, step, choices="contexts", target=path):
        assert "b" not in json.dumps(row["contexts"])
        assert perturb.restored(row)["contexts"] == contexts


def test_distractors_fit_the_shape_of_the_list(tmp_path) -> None:
    new = [["T9", ["Nine."]], {"id": "x", "text": "Ten."}, "Eleven.\nTwelve."]
    path = tmp_path / "pool.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in new), "utf-8")
    step = distract(str(path))
    shapes = [[["T1", ["a"]]], [{"id": "a", "text": "b"}], ["One.\nTwo."]]
    for contexts, one in zip(shapes, new, strict=True):
        (row,) = made(step, 1, contexts)
        assert {*map(repr, row["contexts"])} == {repr(contexts[0]), repr(one)}
    (row,) = made(step, 1, [new[2]])
    assert row["perturbation"]["status"] == "no site"
    (row,) = made(step, 1, [{"id": "a", "text": "b", "title": "c"}])
    assert row["perturbation"]["status"] == "no site"


@pytest.mark.parametrize(
    ("row", "options", "message"),
    [
        ({"ids": [1, 2, 3]}, {}, "--target ids .* and it follows; the rest with --fixed ids"),
        ({"a": [7, 8, 9], "b": [7, 8, 9]}, {}, "as 'a', 'b': name .*--target a --target b"),
        ({"ids": [0, 1, 2]}, {"target": "ids"}, "the number of each item, or the id of each"),
        ({"gold": "Berg"}, {"target": "gold"}, "names none of 3 items"),
        ({"gold": 3}, {"target": "gold"}, "names none of 3 items"),
        ({"facts": {"sentence": [4, 0, 7]}}, {"target": "facts.sentence"}, "names none of 3"),
        ({"contexts": []}, {}, "is an empty list, so nothing in it"),
        ({"contexts": "Oslo."}, {}, "is one string"),
        ({"contexts": [1, 2]}, {}, "passages and turns a list of strings, of objects or of lists"),
        ({"contexts": ["a", {"text": "b"}]}, {}, "holds no options"),
        ({"contexts": {"A": "a", "B": "b"}}, {}, "is no list of items"),
        ({"prompt": "[1] Oslo. [2] B. [3] C.", "contexts": ["Oslo.", "B.", "C."]}, {}, "lists the"),
    ],
)
def test_what_is_unclear_is_refused(row, options, message) -> None:
    rows = [{"id": 1, "contexts": CONTEXTS, **row}]
    with pytest.raises(DataError, match=message):
        list(perturb.augment(rows, "passages:kind=drop", choices="contexts", **options))


def test_advice_of_refusals_works() -> None:
    for row in made("passages", extra=["x", "y", "z"], fixed=["extra"]):
        assert row["extra"] == ["x", "y", "z"]
    rows = [{"id": 1, "contexts": [{"text": "a"}, {"text": "b"}]}]
    with pytest.raises(DataError, match=r"--choices contexts\[\*\].text"):
        list(perturb.augment(rows, "option_shuffle", choices="contexts"))
    columns = [{"id": 1, "contexts": {"text": ["aa", "bb"], "label": ["A", "B"]}}]
    with pytest.raises(DataError, match=r"--choices contexts.text;"):
        list(perturb.augment(columns, "option_shuffle", choices="contexts"))
    named = [{"id": 1, "contexts": [{"id": "Paris-1", "text": "Paris is old."}], "q": "Paris?"}]
    with pytest.raises(DataError, match=r"--choices contexts\[\*\].text"):
        list(perturb.augment(named, "entity_swap", field="q", choices="contexts"))
    with pytest.raises(DataError, match="name it with --choices"):
        list(perturb.augment([{"contexts": ["a", "b"]}], "passages", field="contexts"))
    with pytest.raises(UsageError, match="make a run for each"):
        list(perturb.augment(rows, ["passages", "option_shuffle"], choices="contexts[*].text"))


@pytest.mark.parametrize(
    ("contexts", "step"),
    [
        (["Oslo."], "passages"),
        (["Oslo."] * 3, "passages"),
        (["Oslo."], "passages:kind=drop"),
        (CONTEXTS, "passages:kind=drop_gold"),
        ([*POOL, "More."], "distract"),
    ],
)
def test_what_offers_no_change_stays(contexts, step, pool) -> None:
    (row,) = made(distract(pool) if step == "distract" else step, 1, contexts)
    assert (row["contexts"], row["perturbation"]["status"]) == (contexts, "no site")


@pytest.mark.parametrize("text", ["", "[]", "One.\nTwo.", '{"contexts": ["a", "b"]}', '["a", "b"'])
def test_what_is_no_list_stays(text) -> None:
    record = perturb.apply(text, "passages")
    assert (record.text, record.status) == (text, "no site")
    assert record.steps[0].note == {"refused": ["no list of items"]}


def test_a_text_may_be_a_list_in_json(pool) -> None:
    text = '[ {"id": 1.50, "t": "é"},\n  {"id": 2, "t": "b"} ]'
    swapped = '[ {"id": 2, "t": "b"},\n  {"id": 1.50, "t": "é"} ]'
    assert str(perturb.apply(text, "passages")) == swapped
    dropped = {'[ {"id": 1.50, "t": "é"} ]', '[ {"id": 2, "t": "b"} ]'}
    for seed in range(9):
        assert str(perturb.apply(text, "passages:kind=drop", seed=seed)) in dropped
        longer = json.loads(str(perturb.apply('["a"]', distract(pool), seed=seed)))
        assert {*longer} < {"a", *POOL}


def test_steps_on_the_list_follow_each_other(pool) -> None:
    step = f"passages {distract(pool)} passages:kind=repeat passages"
    for row in made(step, gold=2, ids=["a", "b", "c"]):
        assert row["contexts"][row["gold"]] == CONTEXTS[2]
        assert len(row["contexts"]) == 5
        assert row["ids"][row["gold"]] == "c"
    for row in made("passages passages:kind=drop_gold", gold=2):
        assert {*row["contexts"]} == {*CONTEXTS[:2]}


def test_titles_elsewhere_name_gold_ones_and_are_no_column() -> None:
    contexts = [[name, [f"{name} is old."]] for name in ("Oslo", "Bergen", "Bodø")]
    rows = [
        {"id": n, "context": contexts, "facts": {"title": ["Bodø", "Oslo", "Oslo"]}}
        for n in range(9)
    ]
    options = {"choices": "context", "target": "facts.title"}
    for row in perturb.augment(rows, "passages", **options):
        assert row["facts"] == {"title": ["Bodø", "Oslo", "Oslo"]}
    for row in perturb.augment(rows, "passages:kind=drop_gold", **options):
        assert (row["context"], row["facts"]) == (contexts[1:2], {"title": [None] * 3})
        assert perturb.restored(row)["facts"] == {"title": ["Bodø", "Oslo", "Oslo"]}


def test_numbers_from_one() -> None:
    for row in made("passages", choices="1=contexts", gold=3):
        assert row["contexts"][row["gold"] - 1] == CONTEXTS[2]


def test_beside_controls_of_the_same_run() -> None:
    rows = [{"id": 1, "contexts": [{"id": "a", "text": "b"}], "ids": ["x"], "q": "How many?"}]
    grid = perturb.grid(["identity", "char_swap", "passages:kind=repeat"])
    options = {"field": "q", "choices": "contexts", "target": "ids"}
    made = list(perturb.augment(rows, grid, with_original=True, **options))
    assert [len(row["contexts"]) for row in made] == [1, 1, 1, 2]
    assert all(perturb.verify(row) for row in made)


def test_the_pool_and_the_kind_come_together(pool) -> None:
    for given in ({"pool": pool}, {"kind": "distract"}):
        with pytest.raises(UsageError, match="give both kind=distract and pool=FILE"):
            perturb.apply("", perturb.steps.passages(**given))


def test_a_pool_of_broken_json_or_nothing_is_refused(tmp_path) -> None:
    path = tmp_path / "pool.jsonl"
    for content, message in (("{", "isn't JSON"), ("\n", "no line with text")):
        path.write_text(content, "utf-8")
        with pytest.raises(UsageError, match=message):
            perturb.apply("[1]", distract(str(path)))


def test_files_verify_and_come_back(pool, tmp_path) -> None:
    source, output, back = (tmp_path / name for name in ("in.jsonl", "out.jsonl", "back.jsonl"))
    text = "".join(
        f'{{"id":{n},"docs":[{{"id":"a","n":1.50}},{{"id":"b","n":1e3}}],"gold":"b"}}\n'
        for n in range(40)
    )
    source.write_text(text, "utf-8")
    options = ["--choices", "docs", "--target", "gold", "-i", str(source), "-o", str(output)]
    assert main(["apply", *STEPS, "--grid", *options]) == 0
    assert main(["verify", str(output), "-i", str(source)]) == 0
    lines = output.read_text("utf-8").splitlines()[::3]
    output.with_suffix(".first.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert main(["restore", str(output.with_suffix(".first.jsonl")), "-o", str(back)]) == 0
    assert back.read_text("utf-8") == text


def test_numbers_that_an_answer_cites_follow() -> None:
    cited = [{"passage": 2, "start": 0}, {"passage": 0, "start": 5}, {"passage": 2, "start": 1}]
    rows = [{"id": n, "contexts": CONTEXTS, "citations": cited} for n in range(20)]
    options = {"choices": "contexts", "target": "citations[*].passage"}
    for row in perturb.augment(rows, perturb.grid(["passages", "passages:kind=drop"]), **options):
        names = [None if one["passage"] is None else one["passage"] for one in row["citations"]]
        now = [None if name is None else row["contexts"][name] for name in names]
        there = [CONTEXTS[one["passage"]] for one in cited]
        assert now == [text if text in row["contexts"] else None for text in there]
        assert [one["start"] for one in row["citations"]] == [0, 5, 1]
        assert perturb.restored(row)["citations"] == cited


def test_a_diff_shows_what_moved(tmp_path, capsys) -> None:
    path = tmp_path / "out.jsonl"
    (row,) = made("passages:kind=drop_gold", 1, ["Oslo.", "Bergen."], gold=0)
    path.write_text(json.dumps(row) + "\n", "utf-8")
    capsys.readouterr()
    assert main(["diff", str(path)]) == 0
    head = "r0#passages:kind=drop_gold"
    assert capsys.readouterr().out == (
        f'{head}  contexts\n[-"Oslo."\\n-]"Bergen."\n\n\n{head}  gold\n[-0-]{{+null+}}\n\n'
    )


def test_a_constant_system_one_that_follows_and_one_that_ignores_the_change() -> None:
    systems = {
        "constant": lambda _: "Oslo",
        "reads": lambda row: "Oslo" if any("Oslo" in one for one in row["contexts"]) else "unknown",
        "counts": lambda row: "Oslo" if len(row["contexts"]) == 3 else "Bergen",
    }
    rows = [{"id": n, "contexts": CONTEXTS, "gold": 0, "answer": "Oslo"} for n in range(60)]
    grid = perturb.grid(["passages:kind=repeat", "passages:kind=drop_gold"])
    options = {"choices": "contexts", "target": "gold", "with_original": True}
    made = list(perturb.augment(rows, grid, **options))
    said = {}
    for name, system in systems.items():
        answered = [{**row, "prediction": system(row)} for row in made]
        said[name] = perturb.robustness.score(answered).sentence
    assert "Breaks under passages kind=repeat" in said["counts"]
    assert "Invents an answer in 100 % of cases under passages kind=drop" in said["constant"]
    assert "Breaks" not in said["reads"]
    assert "Invents" not in said["reads"]


@pytest.mark.parametrize("items", [["a", "b", "c"], [{"id": "a"}, {"id": "b"}, {"id": "c"}]])
def test_a_list_of_the_ids_in_the_passages_follows_them(items) -> None:
    row = {"id": 1, "docs": items, "ids": ["a", "b", "c"], "scores": [3, 2, 1], "gold": "b"}
    settings = {"choices": "docs", "target": ["ids", "scores", "gold"]}
    for kind in ("shuffle", "repeat", "drop_gold"):
        (now,) = perturb.augment([row], f"passages:kind={kind}", seed=3, **settings)
        assert now["docs"] != items
        own = [each if isinstance(each, str) else each["id"] for each in now["docs"]]
        assert now["ids"] == own
        assert now["gold"] == (None if kind == "drop_gold" else "b")
        assert len(now["ids"]) == len(now["scores"]) == len(own)


def test_of_passages_that_move_no_text_is_missed() -> None:
    rows = [{"id": n, "docs": ["a", "b", f"c{n}"], "answer": "b"} for n in range(30)]
    made = perturb.augment(rows, "passages", choices="docs", with_original=True)
    graded = [{**row, "score": 1} for row in made]
    verdict = perturb.robustness.score(graded, metrics={"score": {"threshold": 0.5}})
    assert not [hint for hint in verdict.hints if "is not known" in hint]


NUMBERED = [
    "Answer by these.\n\n[1] Oslo is a city.\n[2] Bergen rains.\n\nWhich is a city?",
    "Document 1: Oslo is a city.\n\nDocument 2: Bergen rains.",
    "Document [1](Title: Oslo) Oslo is a city.\nDocument [2](Title: Bergen) It rains.",
    "## Passage 1\nOslo is a city.",
    "1. Oslo is a city.\n2. Bergen rains.",
]


@pytest.mark.parametrize("text", NUMBERED)
def test_passages_numbered_within_a_text_are_refused_with_a_way_out(text, tmp_path, capfd) -> None:
    record = perturb.apply(text, "passages")
    why = "items that are numbered within a text: copy them to a list of their own"
    assert (record.status, record.steps[0].note) == ("no site", {"refused": [why]})
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps({"prompt": text, "contexts": ["Oslo.", "Rain."]}) + "\n", "utf-8")
    words = ["apply", "passages", "-i", str(source), "-o", str(output)]
    assert main([*words, "--field", "prompt"]) == 0
    assert "copy items that are numbered within a text" in capfd.readouterr().err
    assert main([*words, "--choices", "prompt"]) == 1
    assert "passages within a text have to be copied to a list first" in capfd.readouterr().err
    assert main([*words, "--choices", "contexts"]) == 0
    assert json.loads(output.read_text("utf-8"))["contexts"] == ["Rain.", "Oslo."]


def test_why_no_list_changed_is_told_and_how_to_name_one(tmp_path, capfd) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps({"question": "Is it?", "contexts": CONTEXTS[1:]}) + "\n", "utf-8")
    words = ["-i", str(source), "-o", str(output)]
    for kind, why in (("drop_gold", "no answer names a gold"), ("stale", "no passage says what")):
        assert main(["apply", f"passages:kind={kind}", "--choices", "contexts", *words]) == 0
        assert f"no site, which is a place to act: {why}" in capfd.readouterr().err
    assert main(["apply", "passages", *words]) == 1
    assert capfd.readouterr().err.strip().endswith("; --choices names a list whose items move")
