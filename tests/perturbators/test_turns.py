"""Turns of a conversation: moved, repeated, dropped and added with their roles."""

import json
from itertools import pairwise

import pytest

import perturb
from perturb.errors import DataError, UsageError

TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "I have 3 eggs."},
    {"role": "assistant", "content": "Good."},
    {"role": "user", "content": "Look up the price."},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
    {"role": "tool", "tool_call_id": "c1", "content": "2"},
    {"role": "assistant", "content": "It's 2."},
    {"role": "user", "content": "It's cold."},
    {"role": "assistant", "content": "So it is."},
    {"role": "user", "content": "What do my eggs cost?"},
]
# The turns of it: where each starts.
EARLIER = [TALK[1:3], TALK[3:7], TALK[7:9]]
NEW = [{"role": "user", "content": "Do llamas spit?"}, {"role": "assistant", "content": "Yes."}]


@pytest.fixture
def pool(tmp_path):
    shared = [{"from": "human", "value": "Hi."}, {"from": "gpt", "value": "Hello."}]
    path = tmp_path / "pool.jsonl"
    path.write_text("".join(json.dumps(turn) + "\n" for turn in (NEW, shared)), "utf-8")
    return str(path)


def made(step, talk=TALK, count=30, **options):
    """The conversations after a step, each proven and brought back."""
    rows = [{"id": f"r{n}", "messages": talk} for n in range(count)]
    pool = options.pop("pool", None)
    step = f"{step},pool={json.dumps(pool)}" if pool else step
    found = list(perturb.augment(rows, step, choices="messages", **options))
    for row, own in zip(found, rows, strict=True):
        assert perturb.verify(row, trust=[pool] if pool else [])
        assert perturb.restored(row) == own
    return found


def earlier(row):
    """The turns before the last, each as a whole."""
    head, *talk, last = row["messages"]
    assert (head, last) == (TALK[0], TALK[-1])
    starts = [n for n, one in enumerate(talk) if one["role"] == "user"]
    return [talk[a:b] for a, b in pairwise([*starts, len(talk)])]


def test_turns_move_whole_and_the_last_question_stays_last() -> None:
    orders = {tuple(EARLIER.index(turn) for turn in earlier(row)) for row in made("turns")}
    assert len(orders) == 5
    assert all(sorted(order) == [0, 1, 2] for order in orders)


def test_a_turn_is_repeated_dropped_or_cut() -> None:
    twice = {tuple(map(EARLIER.index, earlier(row))) for row in made("turns:kind=repeat")}
    assert all(len(order) == 4 and {*order} == {0, 1, 2} for order in twice)
    gone = {tuple(map(EARLIER.index, earlier(row))) for row in made("turns:kind=drop")}
    assert gone == {(1, 2), (0, 2), (0, 1)}
    cut = {tuple(map(EARLIER.index, earlier(row))) for row in made("turns:kind=cut")}
    assert cut == {(1, 2), (2,), ()}


def test_an_irrelevant_turn_has_the_form_of_the_others(pool) -> None:
    places = set()
    for row in made("turns:kind=distract", pool=pool):
        turns = earlier(row)
        places.add(turns.index(NEW))
        assert [turn for turn in turns if turn != NEW] == EARLIER
    assert places == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("kind", "expect"),
    [("shuffle", "same"), ("repeat", "same"), ("drop", "unknown"), ("cut", "unknown")],
)
def test_what_becomes_of_the_answer(kind, expect) -> None:
    assert {row["perturbation"]["expect"] for row in made(f"turns:kind={kind}")} == {expect}


def anthropic(role, *parts):
    return {"role": role, "content": [{"type": kind, "text": kind} for kind in parts]}


def test_results_of_tools_stay_with_their_calls() -> None:
    talk = [
        anthropic("user", "text"),
        anthropic("assistant", "tool_use"),
        anthropic("user", "tool_result"),
        anthropic("assistant", "text"),
        {"role": "user", "content": "And now?"},
        {"role": "assistant", "content": "Now this."},
        {"role": "user", "content": "Why?"},
    ]
    for row in made("turns", talk):
        assert row["messages"] == [*talk[4:6], *talk[:4], talk[6]]


def test_conversations_as_in_sharegpt(pool) -> None:
    talk = [{"from": "human" if n % 2 == 0 else "gpt", "value": f"{n}"} for n in range(6)]
    for row in made("turns:kind=distract", talk, pool=pool):
        assert [one["from"] for one in row["messages"]] == ["human", "gpt"] * 4
        assert row["messages"][-2:] == talk[-2:]
    for row in made("turns", talk):
        assert row["messages"] == [*talk[2:4], *talk[:2], *talk[4:]]


@pytest.mark.parametrize(
    ("talk", "why"),
    [
        (TALK[:2], "no turn before the last one"),
        (TALK[:1], "no turn before the last one"),
        ([{"content": "a"}, {"content": "b"}], "no conversation"),
        ([["user", "a"], ["assistant", "b"], ["user", "c"]], "no conversation"),
        (["a", "b", "c"], "no conversation"),
        (TALK[1:5], "one alone has no other order"),
        ([*TALK[1:3], *TALK[1:3], TALK[-1]], "all items are the same"),
    ],
)
def test_what_offers_no_change_stays(talk, why) -> None:
    (row,) = made("turns", talk, 1)
    assert (row["messages"], row["perturbation"]["status"]) == (talk, "no site")
    record = perturb.apply(json.dumps(talk), "turns")
    assert why in record.steps[0].note["refused"][0]


def test_a_pool_without_a_turn_that_fits(tmp_path) -> None:
    path = tmp_path / "pool.jsonl"
    odd = ["a", [], NEW[:1], [NEW[1], NEW[0]], [*NEW, NEW[0]], [{"role": "user", "content": []}]]
    path.write_text("".join(json.dumps(turn) + "\n" for turn in odd), "utf-8")
    (row,) = made("turns:kind=distract", TALK, 1, pool=str(path))
    assert row["perturbation"]["status"] == "no site"
    with pytest.raises(UsageError, match="turns:kind=distract draws from a file"):
        perturb.apply("", "turns:kind=distract")


def test_noise_on_each_turn_of_a_user_is_a_step_beside_it() -> None:
    options = {"field": "messages[role=user].content", "choices": "messages"}
    rows = [{"id": n, "messages": TALK} for n in range(9)]
    for row in perturb.augment(rows, perturb.grid(["turns", "char_swap:p=0.5"]), **options):
        pairs = zip(row["messages"], TALK, strict=True)
        noisy = [now["role"] for now, before in pairs if now["content"] != before["content"]]
        assert {*noisy} == {"user"} or "turns" in row["id"]
        assert perturb.verify(row)
        assert perturb.restored(row)["messages"] == TALK
    with pytest.raises(DataError, match="make two conditions of them"):
        list(perturb.augment(rows, "turns char_swap:p=0.5", **options))


def test_a_constant_system_one_that_follows_and_one_that_ignores_the_change() -> None:
    systems = {
        "constant": lambda _: "6",
        "reads": lambda talk: "6" if TALK[1] in talk and TALK[5] in talk else "unknown",
        "looks at the turn before": lambda talk: "6" if talk[-2] == TALK[8] else "0",
    }
    rows = [{"id": n, "messages": TALK, "answer": "6"} for n in range(60)]
    grid = perturb.grid(["turns", "turns:kind=cut"])
    options = {"choices": "messages", "with_original": True}
    made = list(perturb.augment(rows, grid, **options))
    said = {}
    for name, system in systems.items():
        answered = [{**row, "prediction": system(row["messages"])} for row in made]
        said[name] = perturb.robustness.score(answered).sentence
    assert "Breaks under turns" in said["looks at the turn before"]
    assert "Breaks" not in said["constant"] + said["reads"]


@pytest.mark.parametrize(
    ("name", "content"),
    [("pool.txt", "Salt is a mineral.\n"), ("pool.jsonl", '"a"\n{"role": 1}\n')],
)
def test_a_pool_without_a_turn_is_refused(name, content, tmp_path) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(UsageError, match=f"no line of .*{name} is a list of messages in JSON"):
        perturb.apply("[]", {"name": "turns", "kind": "distract", "pool": str(tmp_path / name)})


def test_an_empty_conversation_is_refused_in_words_about_it() -> None:
    with pytest.raises(DataError, match="'messages' is an empty list, so nothing in it"):
        list(perturb.augment([{"messages": []}], "turns", choices="messages"))
