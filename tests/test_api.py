"""`apply`, `augment`, `Record`, `Pipeline`, registration: the promises and the refusals."""

import pickle
import re
import subprocess
import sys

import pytest
from cases import SENTENCE

import perturb
from perturb import Pipeline, Step
from perturb.registry.definition import WORDS
from perturb.registry.making import build_perturbator
from perturb.testing import HOSTILE


def test_a_record_says_all() -> None:
    record = perturb.apply(SENTENCE, "keyboard_typos", p=0.1, seed=7, id="s1", replicate=2)
    assert str(record) == record.text != record.original == SENTENCE
    assert (record.id, record.original_id) == ("s1#keyboard_typos:p=0.1#2", "s1")
    assert (record.seed, record.replicate, record.status) == (7, 2, "changed")
    assert (record.condition, record.expect) == ("keyboard_typos:p=0.1", "same")
    assert record.units == len(SENTENCE)
    assert record.rate == round(len(record.edits) / record.units, 6)
    (step,) = record.steps
    version = perturb.describe("keyboard_typos")["version"]
    assert (step.name, step.version, step.p, step.spec) == (
        *("keyboard_typos", version, 0.1),
        "keyboard_typos:p=0.1",
    )
    assert record.recipe == (f"keyboard_typos@{version}:p=0.1 --seed 7 --replicate 2 --contract 4")
    assert (step.units, step.sites, step.edits) == (record.units, record.sites, len(record.edits))
    assert (record.field, record.spans) == ("text", ())
    with pytest.raises(AttributeError):
        record.text = "other"


@pytest.mark.parametrize(
    ("settings", "text", "reason"),
    [
        ({"p": 0.0}, "lazy", "p is 0"),
        ({"p": 1.0}, "none", "no site"),
        ({"p": 1.0, "protect": "regex:.*"}, "lazy", "protected"),
        ({"p": 1.0, "only": "regex:l"}, "lazy", "protected"),
        ({"p": 0.001}, "lazy", "drew zero"),
        ({"count": 0}, "lazy", "drew zero"),
    ],
)
def test_an_unchanged_text_says_why(settings, text, reason) -> None:
    record = perturb.apply(text, "yz_swap", **settings)
    assert (record.text, record.status, record.edits) == (text, reason, ())
    assert record.text is record.original


def test_an_edit_that_is_not_to_be_was_not_drawn() -> None:
    assert perturb.apply("lazy", "yz_swap:p=1,max_edits=0").status == "drew zero"


def test_steps_that_undo_each_other_say_so() -> None:
    record = perturb.apply("lazy", ["yz_swap:p=1", "yz_swap:p=1"])
    assert (record.text, record.status, record.edits) == ("lazy", "cancelled out", ())
    assert [step.edits for step in record.steps] == [2, 2]


def test_a_perturbator_that_writes_nothing_new_is_filtered() -> None:
    same = perturb.from_regex("same", r"\w+", lambda match, _: match[0])
    assert perturb.apply("a b", same, p=1.0).status == "filtered"


def test_counts_bound_the_edits() -> None:
    def edits(**settings):
        return len(perturb.apply(SENTENCE, perturb.steps.char_delete(**settings)).edits)

    assert edits(count=3) == 3
    assert edits(count=10**6) == perturb.apply(SENTENCE, "char_delete", p=1.0).sites
    assert edits(p=0.0, min_edits=2) == 2
    assert edits(p=1.0, max_edits=4) == 4


def test_the_id_decides_and_the_text_stands_in_for_it() -> None:
    by_text = perturb.apply(SENTENCE, "char_delete", p=0.2)
    named = perturb.apply(SENTENCE, "char_delete", p=0.2, id=by_text.original_id)
    assert (named.id, named.edits) == (by_text.id, by_text.edits)
    five, number = (perturb.apply(SENTENCE, "char_delete", p=0.2, id=name) for name in ("5", 5))
    assert (five.id, five.text) == (number.id, number.text)
    assert number.to_dict()["perturbation"]["edits"].startswith("id=5;text|")
    assert perturb.apply(SENTENCE, "char_delete", p=0.2, id=6).edits != by_text.edits


def test_a_step_draws_by_its_name_and_not_by_its_place() -> None:
    alone = perturb.apply(SENTENCE, "char_swap:p=0.2")
    among = perturb.apply(SENTENCE, ["yz_swap:p=0", "char_swap:p=0.2", "identity"])
    assert alone.edits == among.edits
    twice = perturb.apply(SENTENCE, ["char_replace:p=0.2", "char_replace:p=0.2"])
    assert twice.steps[0].edits == twice.steps[1].edits
    assert len(twice.edits) > twice.steps[0].edits


@pytest.mark.slow
def test_protection_holds_through_every_step() -> None:
    text = "Mail bob@x.org {name}, then see http://x.org/a?b=1 or `code()`, for 3.50 or so."
    steps = ["keyboard_typos:p=0.5", "char_insert:p=0.3", "word_delete:p=0.3", "word_swap:p=0.5"]
    kept = ["bob@x.org", "{name}", "http://x.org/a?b=1", "`code()`", "3.50"]
    for seed in range(40):
        record = perturb.apply(
            text, steps, seed=seed, protect=["email", "placeholder", "url", "code", "number"]
        )
        assert all(part in record.text for part in kept), record.text
        assert perturb.verify(record)


def test_only_makes_p_a_share_of_the_scope() -> None:
    text = "a" * 1000 + "b" * 1000
    record = perturb.apply(text, "char_delete", p=0.1, only=[(1000, 2000)])
    assert len(record.edits) == 100
    assert record.text.count("a") == 1000


@pytest.mark.slow
def test_a_pipeline_of_all_goes_through_with_texts_of_all_kinds() -> None:
    texts = [*HOSTILE.values()]
    records = perturb.apply(texts, [f"{name}:p=0.3" for name in perturb.names()])
    assert [record.restore() for record in records] == texts
    assert all(map(perturb.verify, records))
    assert pickle.loads(pickle.dumps(records)) == records


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_pipeline_of_all_goes_through(text, examples) -> None:
    steps = [f"{name}:p=0.3" for name in perturb.names()]
    for seed in range(examples // 5):
        record = perturb.apply(text, steps, seed=seed)
        assert record.restore() == text
        assert perturb.verify(record)
        assert pickle.loads(pickle.dumps(record)) == record


def test_span_policies() -> None:
    def apply(policy):
        return perturb.apply(
            "lazy dog", "yz_swap", p=1.0, spans=[(0, 4), (5, 8)], span_policy=policy
        )

    assert apply("grow").spans == ((0, 4), (5, 8))
    assert apply("drop").spans == (None, (5, 8))
    with pytest.raises(perturb.DataError, match="an edit touches a span; protect the spans"):
        apply("refuse")


def test_lists_keep_their_order() -> None:
    texts = [SENTENCE, "ünï çødé", "日本語", "", SENTENCE * 3] * 50
    records = perturb.apply(texts, "char_delete", p=0.3)
    assert [record.original for record in records] == texts
    assert perturb.apply([], "char_delete") == []
    assert perturb.apply(tuple(texts), "char_delete", p=0.3) == records


@pytest.mark.slow
def test_augment_is_lazy_and_leaves_its_rows_alone() -> None:
    seen = []

    def rows():
        for number in range(3000):
            seen.append(number)
            yield {"id": number, "text": SENTENCE, "label": [1, {"x": 2}]}

    made = perturb.augment(rows(), "char_delete", p=0.2, replicates=2, with_original=True)
    first = [next(made) for _ in range(3)]
    assert len(seen) < 3000
    assert [row["id"] for row in first] == ["0", "0#char_delete:p=0.2", "0#char_delete:p=0.2#1"]
    assert [row["perturbation"]["status"] for row in first] == ["original", "changed", "changed"]
    assert all(row["label"] == [1, {"x": 2}] for row in first)
    assert len(list(made)) == 8997


def test_augment_moves_labels() -> None:
    row = {"text": "Ann met Bob.", "entities": [[0, 3, "P"], {"start": 8, "end": 11, "tag": "P"}]}
    (made,) = perturb.augment([row], "word_duplicate", p=1.0, spans="entities")
    assert made["text"] == "Ann Ann met met Bob Bob."
    assert made["entities"] == [[0, 3, "P"], {"start": 16, "end": 19, "tag": "P"}]
    assert row["entities"][0] == [0, 3, "P"]


def test_augment_names_the_bad_row() -> None:
    rows = [{"text": "a"}, {"question": "b"}]
    with pytest.raises(perturb.DataError, match=r"row 2: no field 'text': known: question"):
        list(perturb.augment(rows, "char_delete"))


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("text", "x" + SENTENCE, perturb.DataError),
        ("id", "other", perturb.VerificationError),
        ("original", "x", perturb.VerificationError),
        ("original_id", "x", perturb.VerificationError),
        ("condition", "ocr", perturb.VerificationError),
        ("status", "no site", perturb.VerificationError),
        ("expect", "other", perturb.VerificationError),
        ("edits", "id=", perturb.VerificationError),
        ("check", "x00000000", perturb.VerificationError),
        ("recipe", "keyboard_typos@4:p=0.2 --seed 2 --contract 4", perturb.VerificationError),
        ("recipe", "keyboard_typos@4:p=0.2 --contract 3", perturb.DataError),
        ("recipe", "keyboard_typos@99:p=0.2 --contract 4", perturb.UsageError),
        ("text", None, perturb.DataError),
        ("status", "unchanged", perturb.DataError),
        ("edits", 5, perturb.DataError),
        ("edits", "text|3:a>a", perturb.DataError),
        ("edits", "text|3", perturb.DataError),
        ("edits", "text|9000:a>b", perturb.DataError),
        ("edits", "nothing|3:a>b", perturb.DataError),
        ("recipe", '"', perturb.DataError),
    ],
)  # fmt: skip
def test_verify_finds_any_change(name, value, error) -> None:
    """The record itself holds; each of its parts is needed for that."""
    row = perturb.apply(SENTENCE, "keyboard_typos", p=0.2).to_dict()
    assert perturb.verify(row)
    if name in row:
        row[name] = value
    else:
        assert value != row["perturbation"][name]
        row["perturbation"][name] = value
    with pytest.raises(error):
        perturb.verify(row)


def forgetful():
    """A perturbator whose function forgot to return."""
    return build_perturbator(
        "forgetful", lambda batch: None, unit="word", summary="", label_risk="low", source="",
        version=1, intensities=WORDS,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: perturb.apply("a", "keybord_typos"), ValueError, "did you mean keyboard_typos"),
        (lambda: perturb.apply("a", "char_delete", p=1.5), ValueError, r"p must be in \[0, 1\]; got 1.5"),
        (lambda: perturb.apply("a", "char_delete", p=5), ValueError, "for 5 % write p=0.05"),
        (lambda: perturb.apply("a", "char_delete", p="x"), TypeError, "p must be a number"),
        (lambda: perturb.apply("a", "char_delete", p=True), TypeError, "p must be a number"),
        (lambda: perturb.apply("a", "char_delete", p=float("nan")), ValueError, "p must be a number in"),
        (lambda: perturb.apply("a", "char_delete", p=0.1, count=3), ValueError, "give one of p, intensity, severity and count"),
        (lambda: perturb.apply("a", "char_delete", count=-1), ValueError, "count must be at least 0"),
        (lambda: perturb.apply("a", "char_delete", count=1.5), TypeError, "count must be a whole number"),
        (lambda: perturb.apply("a", "char_delete:min_edits=3,max_edits=2"), ValueError, "min_edits 3 is more than max_edits 2"),
        (lambda: perturb.apply("a", "char_delete", intensity="mild"), ValueError, "very_low, low, medium"),
        (lambda: perturb.apply("a", "char_delete:fil=X"), ValueError, "did you mean fill"),
        (lambda: perturb.apply("a", "char_delete", fill="X"), ValueError, r"apply has no argument 'fill': .* perturb.steps.NAME\(fill=...\)"),
        (lambda: perturb.apply("a", "char_delete", sed=1), ValueError, "apply has no argument 'sed': did you mean seed"),
        (lambda: perturb.augment([], "ocr", spans_field="x"), ValueError, "augment has no argument 'spans_field'"),
        (lambda: perturb.augment([], grid=["ocr"]), ValueError, "augment has no argument 'grid': did you mean steps"),
        (lambda: perturb.Transform("ocr", replicate=2), ValueError, "Transform has no argument 'replicate': did you mean replicates"),
        (lambda: perturb.apply("a", perturb.steps.char_delete(fill=3)), ValueError, "fill must be a string; got 3"),
        (lambda: perturb.apply("a", "case:style=loud"), ValueError, "style must be .*'upper'.*; got 'loud'"),
        (lambda: perturb.apply("a", "keyboard_typos:layout=usa"), ValueError, "did you mean us"),
        (lambda: perturb.apply("a", "keyboard_typos:layout=german"), ValueError, "known: am, ara"),
        (lambda: perturb.apply("a", "char_replace:alphabet=a"), ValueError, "at least two different characters"),
        (lambda: perturb.apply("a", "char_delete:p=0.1", p=0.2), ValueError, "p once"),
        (lambda: perturb.apply("a", ["char_delete:p=1", "ocr:p=1"], p=0.2), ValueError, "leave out p: every step already has a strength"),
        (lambda: perturb.Pipeline.of(["char_delete", "ocr"], fill="X"), ValueError, "2 steps can't share fill"),
        (lambda: perturb.apply("a", "char_delete:fill"), ValueError, "can't read 'fill'"),
        (lambda: perturb.apply("a", []), ValueError, "at least one step"),
        (lambda: perturb.apply("a", 0.05), TypeError, "got 0.05"),
        (lambda: perturb.apply("a", [0.05]), TypeError, "got 0.05"),
        (lambda: perturb.apply(None, "ocr"), TypeError, "expected a text or a sequence of texts; got NoneType"),
        (lambda: perturb.apply({"text": "a"}, "ocr"), TypeError, "got a row: augment takes rows"),
        (lambda: perturb.verify("a text"), TypeError, "expected a record, as perturb.apply returns it; got 'a text'"),
        (lambda: perturb.apply(b"a", "ocr"), TypeError, "got bytes"),
        (lambda: perturb.apply(["a", 3], "ocr"), TypeError, r"texts\[1\] must be a string; got 3"),
        (lambda: perturb.apply(["a", float("nan")], "ocr"), TypeError, r"got nan; leave it out, or .* missing='keep'"),
        (lambda: perturb.apply([{"text": "a"}], "ocr"), TypeError, r"got {'text': 'a'}: augment takes rows"),
        (lambda: perturb.apply("a", "ocr", replicates=3), ValueError, "replicate= is the number of that; augment makes sev"),
        (lambda: perturb.Pipeline("ocr", p=0.1), TypeError, r"Pipeline.of\(\['keyboard_typos', 'case'\], p=0.05\) makes"),
        (lambda: perturb.Pipeline(["ocr", "case"]), TypeError, r"takes finished steps alone: Pipeline.of\("),
        (lambda: perturb.apply(["a", "b"], "ocr", id=["x"]), ValueError, "one entry for each of the 2 texts"),
        (lambda: perturb.apply("a", "ocr", id=1.5), TypeError, "an id is a string or a whole number"),
        (lambda: perturb.apply("a", "ocr", seed="x"), TypeError, "seed must be a whole number; got 'x'"),
        (lambda: perturb.apply("a", "ocr", seed=1 << 64), ValueError, "64 bits"),
        (lambda: perturb.apply("a", "ocr", replicate=-1), ValueError, "replicate must be at least 0"),
        (lambda: perturb.apply("a", "ocr", protect="urls"), ValueError, "did you mean url"),
        (lambda: perturb.apply("a", "ocr", protect=[(0, 5)]), ValueError, "lies outside its text of 1"),
        (lambda: perturb.apply(["a"], "ocr", protect=[(0, 1)]), ValueError, "hold for one text"),
        (lambda: perturb.apply("a", "ocr", protect="field:keep"), ValueError, "alone has no field 'keep'"),
        (lambda: perturb.apply(["a"], "ocr", only="field:keep"), ValueError, "alone has no field 'keep'"),
        (lambda: perturb.apply("a", "ocr", spans=[(0, 5)]), ValueError, "lies outside its text"),
        (lambda: perturb.apply("a", "ocr", span_policy="x"), ValueError, "grow, drop, refuse"),
        (lambda: perturb.apply("a", {"name": "ocr", "version": 99}), ValueError, r"the step needs version 99, not \d+"),
        (lambda: perturb.apply("a", {"p": 1}), ValueError, "a step needs a 'name'"),
        (lambda: perturb.apply("a", {"name": "ocr", "params": {"name": "case"}}), ValueError, "ocr has no parameter 'name'"),
        (lambda: perturb.apply("a", {"name": "ocr", "params": 3}), ValueError, "ocr: params must be a mapping or text; got 3"),
        (lambda: perturb.apply("a", {"name": "case", "style": "upper", "params": {"style": "lower"}}), ValueError, "give style once; got 'upper' and 'lower'"),
        (lambda: perturb.describe("orc"), ValueError, "did you mean ocr"),
        (lambda: list(perturb.augment([], "ocr", replicates=0)), ValueError, "replicates must be"),
        (lambda: list(perturb.augment([], "ocr", field="a[")), ValueError, "can't read the field path"),
        (lambda: perturb.from_regex("x", "(", str), ValueError, "isn't a regular expression"),
        (lambda: perturb.from_regex("X!", "a", str), ValueError, "lower-case letters"),
        (lambda: perturb.from_regex("x", "a", str, label_risk="?"), ValueError, "label_risk must be one of"),
        (lambda: perturb.apply("a", perturb.from_regex("x", "a", lambda match, draws: 5), p=1), TypeError, "x: replace must return a string for 'a'; got 5"),
        (lambda: perturb.apply("a", forgetful()), TypeError, "forgetful must return Sites; got None"),
        (lambda: perturb.apply("abc", "ocr").project(2, 9), ValueError, r"lies in \[0, 3\]"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(call, error, message) -> None:
    with pytest.raises(error, match=message):
        call()


def test_specs_read_what_steps_write() -> None:
    for spec in (
        "char_delete:p=0.05,fill=X",
        'char_delete:p=0.05,fill="a, b"',
        'char_delete:p=1,fill=" "',
        'char_delete:p=0.5,fill="3"',
        'char_replace:p=0.5,alphabet="x\\"y"',
        "keyboard_typos:count=3,layout=de",
        "ocr:p=0.1,min_edits=1,max_edits=5",
        "word_swap:p=0.1,fix_case=true",
    ):
        step = Pipeline.of(spec).steps[0]
        assert isinstance(step, Step)
        assert Pipeline.of(str(step)).steps[0] == step


def test_a_strength_goes_to_the_steps_without_one() -> None:
    made = Pipeline.of(["char_delete", "ocr:p=0.5", "yz_swap:intensity=high"], p=0.1)
    assert [step.p for step in made.steps] == [0.1, 0.5, 0.8]
    assert [step.p for step in Pipeline.of(["char_delete", "comma"]).steps] == [0.1, 0.1]


def test_registering_twice_names_both_owners() -> None:
    twin = perturb.from_regex("char_delete", "a", str)
    with pytest.raises(
        perturb.UsageError, match=r"perturb.perturbators.letters.chars.* already has this name"
    ):
        perturb.register(twin)


def test_a_perturbator_says_what_its_function_takes() -> None:
    declared = perturb.perturbator("bad", unit="word", summary="Bad.", label_risk="low")

    def positional(word: str, times: int) -> str:
        return word * times

    with pytest.raises(perturb.UsageError, match="must be keyword-only with a default"):
        declared(positional)
    with pytest.raises(perturb.UsageError, match="annotate the first argument"):
        declared(lambda _, x: x)


@pytest.mark.slow
def test_imports_are_light() -> None:
    """`import perturb` loads nothing at all; applying loads NumPy, and nothing heavier."""
    program = (
        "import sys, perturb\n"
        "assert 'numpy' not in sys.modules\n"
        "perturb.apply('a', 'ocr')\n"
        "heavy = {'nltk', 'pandas', 'pyarrow', 'hypothesis', 'yaml', 'tqdm', 'scipy'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("spans", [5, "ab", [5], [(0, 1, "PER")], [(0.0, 1)], [None]])
def test_spans_that_are_no_pairs(spans) -> None:
    with pytest.raises(perturb.UsageError, match=r"pair"):
        perturb.apply("some text", "case", spans=spans)
    with pytest.raises(perturb.UsageError, match=r"pair"):
        perturb.apply(["some text"], "case", spans=[spans])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: perturb.augment("rows.jsonl", "ocr"), "rows are an iterable of dicts; apply"),
        (lambda: perturb.augment({"text": "a"}, "ocr"), "rows are an iterable of dicts; apply"),
        (lambda: perturb.Transform("ocr")("a text"), "got str; apply takes texts"),
        (lambda: perturb.apply("a", str.upper), "wrap it: perturb.from_function"),
        (lambda: perturb.apply("a", ["ocr", 0.1]), "a spec such as 'ocr:p=0.1'"),
        (
            lambda: perturb.apply("a", "ocr", severity="low"),
            "give words such as 'low' as intensity",
        ),
        (lambda: perturb.from_function("shout", 3), "give a function from a text to a text"),
    ],
)
def test_a_slip_is_told_with_its_remedy(call, message) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


def test_a_text_where_steps_are_wanted() -> None:
    with pytest.raises(
        perturb.UsageError, match="'The quick fox' isn't a step; give the text before"
    ):
        perturb.apply("keyboard_typos", "The quick fox")
