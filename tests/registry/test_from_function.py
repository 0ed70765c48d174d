"""Any function of a text keeps the contract."""

import asyncio
import json
import random
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from endpoints import serving
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.cli import main
from perturb.registry import registry
from perturb.registry.from_function import from_function

TEXTS = ["The quick brown fox jumps.", "", "Over 12 lazy dogs", "Why not today, then?"]


@pytest.fixture(name="endpoint")
def _endpoint():
    with serving() as server:
        yield server


@pytest.fixture
def perturb_file(tmp_path):
    """A file of rows and the path of a plugin, which is forgotten afterwards."""
    source = tmp_path / "in.jsonl"
    source.write_text('{"text": "first"}\n{"text": "second"}\n')
    before, files = registry.snapshot(), dict(registry._files)
    yield source, tmp_path / "mine.py"
    registry.restore(before)
    registry._files.clear()
    registry._files.update(files)


def swapped(text, seed=None):
    """Swap two words; which, `seed` says, or the global generator."""
    words = text.split(" ")
    draw = random if seed is None else random.Random(seed)
    at = draw.randrange(max(len(words) - 1, 1))
    words[at : at + 2] = reversed(words[at : at + 2])
    return " ".join(words)


async def shouted(text):
    await asyncio.sleep(0)
    return text.upper()


def test_a_record_says_what_the_function_did():
    step = from_function("polite", lambda text: f"Please: {text}")
    record = perturb.apply("Add 3 and 4.", step, p=1.0)
    assert record.text == "Please: Add 3 and 4."
    assert record.restore() == "Add 3 and 4."
    assert (record.units, record.sites, len(record.edits)) == (1, 1, 1)
    assert perturb.apply("Add.", from_function("same", str), p=1.0).status == "no site"


@pytest.mark.parametrize("seeded", [None, "seed"])
def test_texts_do_not_depend_on_each_other(seeded):
    """In a list, alone and in another order; the state of the caller's generators stays."""
    step = from_function("swap_two", swapped, seeded=seeded)
    random.seed(5)
    np.random.seed(5)
    state = random.getstate(), np.random.get_state()[1].tolist()
    together = [r.text for r in perturb.apply(TEXTS, step, p=1.0, seed=3)]
    assert (random.getstate(), np.random.get_state()[1].tolist()) == state
    assert [perturb.apply(text, step, p=1.0, seed=3).text for text in TEXTS] == together
    assert [r.text for r in perturb.apply(TEXTS[::-1], step, p=1.0, seed=3)] == together[::-1]
    assert [r.text for r in perturb.apply(TEXTS, step, p=1.0, seed=4)] != together


def test_edits_of_a_text_go_together_or_one_by_one():
    step = from_function("upper", str.upper)
    protected = perturb.apply("one two three", step, p=1.0, protect="word:two")
    assert (protected.text, protected.status) == ("one two three", "protected")
    apart = from_function("upper_each", lambda text: text.replace("o", "0"), together=False)
    record = perturb.apply("one two oooo door", apart, p=1.0, protect="word:two")
    assert record.text == "0ne two 0000 d00r"
    half = perturb.apply("o n o n o n o n", apart, p=0.5)
    assert 0 < len(half.edits) < 4


@pytest.mark.slow
@given(st.text(max_size=30), st.floats(0, 1))
def test_larger_shares_add_edits(text, p):
    step = from_function(
        "spaced", lambda text: text.replace("a", "4").replace(" ", "  "), together=False
    )
    few = {*perturb.apply(text, step, p=p / 2).edits}
    assert few <= {*perturb.apply(text, step, p=p).edits}


def test_async_and_batched_functions():
    assert [r.text for r in perturb.apply(TEXTS, from_function("shouted", shouted), p=1.0)] == [
        text.upper() for text in TEXTS
    ]
    seeds = []

    def many(texts, seeds_of):
        seeds.extend(seeds_of)
        return [text[::-1] for text in texts]

    step = from_function("reversed", many, batched=True, seeded="seeds_of")
    assert [r.text for r in perturb.apply(TEXTS, step, p=1.0)] == [text[::-1] for text in TEXTS]
    assert len(set(seeds)) == 3  # none for the empty text

    async def inside():
        return perturb.apply("abc", from_function("shouted", shouted), p=1.0).text

    assert asyncio.run(inside()) == "ABC"


def test_what_a_function_may_not_return():
    with pytest.raises(TypeError, match="must return a string for 'a'; got int"):
        perturb.apply("a", from_function("five", lambda _: 5))
    with pytest.raises(perturb.UsageError, match="must return a text for each of 1 texts"):
        perturb.apply("a", from_function("one", lambda _: "a", batched=True))
    with pytest.raises(ZeroDivisionError) as caught:
        perturb.apply("a", from_function("broken", lambda _: 1 / 0))
    assert "perturbator broken" in caught.value.__notes__[0]


def test_verify_says_what_is_missing_and_does_what_can_be_done():
    """What is not known, or not reproducible, is restored and not made again."""
    step = from_function("upper_own", str.upper)
    record = perturb.apply("abc", step, p=1.0)
    assert perturb.verify(record)
    with pytest.raises(perturb.DataError, match="the edits wrote"):
        perturb.verify({**record.to_dict(), "text": "ABD"})
    drifting = iter("xyz")
    loose = from_function("drifts", lambda text: text + next(drifting), reproducible=False)
    for known in (step, loose):
        perturb.register(known)
    try:
        assert perturb.verify(record)
        assert perturb.verify(perturb.apply("abc", loose, p=1.0))
    finally:
        for known in (step, loose):
            registry.registered.pop(known.name)


def test_spans_move_with_the_edits():
    step = from_function("doubled", lambda text: text.replace("s", "ss").replace("go ", "going "))
    (row,) = perturb.augment(
        [{"text": "go to Oslo now", "spans": [[6, 10, "LOC"]]}],
        step,
        p=1.0,
        spans="spans",
    )
    start, end, label = row["spans"][0]
    assert (row["text"][start:end], label) == ("Osslo", "LOC")


class Async:
    """A client: its call is async, and no coroutine function itself."""

    async def __call__(self, text):
        await asyncio.sleep(0)
        if text == "bad":
            raise ConnectionError("refused")
        return text + "?"


def test_an_object_whose_call_is_async():
    step = from_function("asked", Async())
    assert [r.text for r in perturb.apply(TEXTS, step, p=1.0)] == [
        text and text + "?" for text in TEXTS
    ]
    texts = ["bad", *(f"text {number}" for number in range(40))]  # more than are under way at once
    with pytest.raises(ConnectionError) as caught:
        perturb.apply(texts, step, p=1.0)
    assert caught.value.__notes__ == ["raised by the function of the perturbator asked, for 'bad'"]


def test_a_batched_function_leaves_the_generators_alone():
    def shuffled(texts):
        return [text + str(random.random()) for text in texts]

    step = from_function("numbered", shuffled, batched=True)
    random.seed(5)
    state = random.getstate()
    first = perturb.apply("abc", step, p=1.0, seed=3)
    assert random.getstate() == state
    assert perturb.apply("abc", step, p=1.0, seed=3).text == first.text


def test_a_model_behind_an_endpoint(endpoint):
    """An LLM that says it otherwise: seeds handed in, answers not the same twice."""

    def paraphrase(text, seed):
        body = {"messages": [{"role": "user", "content": text}], "seed": seed}
        request = urllib.request.Request(
            f"{endpoint.url}/chat/completions",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)["choices"][0]["message"]["content"]

    answers = iter(range(100))
    endpoint.answer = lambda body: f"{body['messages'][0]['content']} In short {next(answers)}?"
    step = from_function("paraphrase", paraphrase, seeded="seed", reproducible=False)
    records = perturb.apply(["How many eggs?", "Who came?"], step, p=1.0, seed=3)
    assert [r.text for r in records] == ["How many eggs? In short 0?", "Who came? In short 1?"]
    assert len({request["seed"] for request in endpoint.requests}) == 2
    assert records[0].restore() == "How many eggs?"


def test_the_command_says_which_rows_were_not_made_again(perturb_file, capfd):
    source, plugin = perturb_file
    plugin.write_text(
        "import itertools, perturb\n"
        "count = itertools.count()\n"
        "drifting = perturb.from_function('drifting', lambda text: f'{text} {next(count)}',"
        " reproducible=False)\n"
    )
    out, given = str(source.with_name("out.jsonl")), ["--plugin", str(plugin)]
    assert main(["apply", "drifting", "-i", str(source), "-o", out, *given]) == 0
    assert main(["verify", out, *given]) == 0
    assert "2 only restored" in capfd.readouterr().out
    Path(out).write_text(Path(out).read_text("utf-8").replace("second 1", "second 7"))
    assert main(["verify", out, *given]) == 1
    assert "the edits wrote" in capfd.readouterr().err


# Other libraries' functions.


def translated(text):
    """A word at a time, as a translation there and back writes some words otherwise."""
    words = {"big": "large", "quick": "fast", "jumps": "leaps"}
    return " ".join(words.get(word, word) for word in text.split(" "))


def test_a_translation():
    record = perturb.apply(
        "The big dog jumps.  Quick, a big fox!", from_function("back", translated), p=1.0
    )
    assert record.text == "The large dog jumps.  Quick, a large fox!"
    assert record.restore() == "The big dog jumps.  Quick, a big fox!"
    assert record.project(9 - 5, 9 - 2) == (4, 9)  # "big" is "large" now


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_glitchlings():
    glitchlings = pytest.importorskip("glitchlings")

    def typogre(text, seed):
        return glitchlings.Typogre(rate=0.1, seed=seed)(text)

    step = from_function("typogre", typogre, seeded="seed")
    check(step)


@pytest.mark.filterwarnings("default")
def test_textattack():
    """Its transformations draw from the global generators, which are seeded for each text."""
    transformations = pytest.importorskip("textattack.transformations")
    attacked = pytest.importorskip("textattack.shared").AttackedText
    transformation = transformations.WordSwapQWERTY()

    def transformed(text):
        candidates = transformation(attacked(text))
        return random.choice(candidates).text if candidates else text

    check(from_function("attacked", transformed))


@pytest.mark.filterwarnings("default")
def test_nlpaug():
    char = pytest.importorskip("nlpaug.augmenter.char")
    augmenter = char.KeyboardAug()
    check(from_function("keyboard_of_nlpaug", lambda text: augmenter.augment(text)[0]))


def check(step):
    """Whatever a library does: it is on record, independent of order, restored and verified."""
    texts = [text for text in TEXTS if text]
    records = perturb.apply(texts, step, p=1.0, seed=3)
    assert any(record.edits for record in records)
    assert [record.restore() for record in records] == texts
    assert [r.text for r in perturb.apply(texts[::-1], step, p=1.0, seed=3)][::-1] == [
        record.text for record in records
    ]
    perturb.register(step)
    try:
        assert all(map(perturb.verify, records))
    finally:
        registry.registered.pop(step.name)


def test_a_library_that_a_text_loads_is_seeded_and_restored(monkeypatch) -> None:
    """torch may be imported by the first call; from then on it has the seed of each text."""

    class Torch:
        state = "before"

        def get_rng_state(self):
            return self.state

        def set_rng_state(self, state):
            self.state = state

        def manual_seed(self, seed):
            self.state = seed

    torch, seen = Torch(), []
    monkeypatch.delitem(sys.modules, "torch", raising=False)

    def loading(text: str) -> str:
        seen.append(torch.state)
        monkeypatch.setitem(sys.modules, "torch", torch)
        return text + "!"

    made = perturb.from_function("loading", loading)
    perturb.apply(["a b", "b c", "c d"], made, p=1.0)
    assert seen[0] == "before"
    assert len(set(seen)) == 3
    assert torch.state == "before"
