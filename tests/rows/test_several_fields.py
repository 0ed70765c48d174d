"""Rows with several texts: keys, answers, spans in lists, chats; and each row restored."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
import perturb.records.texts
from perturb.cli import main
from perturb.rows.stored import records_in

STEPS = "keyboard_typos:p=0.2 word_swap:p=0.1"
ROW = {
    "id": 17,
    "question": "How many eggs does Anna's hen lay in a week?",
    "context": "Anna has one hen. It lays an egg a day, and Anna sells four of them.",
    "choices": ["three of them", "seven of them", "four of them"],
    "answer": "seven of them",
    "label": 1,
    "messages": [
        {"role": "system", "content": "Answer briefly and politely."},
        {"role": "user", "content": "Who feeds the hens?"},
        {"role": "assistant", "content": "Anna does so every morning."},
        {"role": "user", "content": [{"type": "text", "text": "And who eats the eggs?"}]},
    ],
    "notes": None,
}


def perturbed(row, steps=STEPS, **options):
    before = copy.deepcopy(row)
    (made,) = perturb.augment([row], steps, **{"seed": 5, **options})
    assert row == before
    assert perturb.verify(made)
    assert perturb.restored(made) == row
    return made


FIELDS = [
    *("question", "context", "choices", "choices[*]", "messages[0].content"),
    *("messages[role=user].content", "messages[role=assistant][-1].content"),
]


@pytest.mark.parametrize("first", FIELDS)
@pytest.mark.parametrize("second", FIELDS)
def test_a_field_behind_others_moves_nothing_in_them(first, second) -> None:
    if first.partition("[")[0] == second.partition("[")[0]:
        return
    alone, both = perturbed(ROW, field=first), perturbed(ROW, field=[first, second])
    key = first.partition("[")[0]
    assert alone[key] == both[key] != ROW[key]
    assert alone["id"] == both["id"]


def test_the_first_plain_field_keeps_the_key_of_the_row() -> None:
    """So a text comes out as `apply` makes it; the others draw by their paths."""
    row = {"id": "a", "one": "the same words in all", "two": "the same words in all!"}
    row["many"] = [row["one"] + "?", row["one"] + "."]
    made = perturbed(row, field=["many[*]", "one", "two"])
    assert made["one"] == str(perturb.apply(row["one"], STEPS, seed=5, id="a"))
    assert len({text[:15] for text in (made["one"], made["two"], *made["many"])}) == 4
    turned = perturbed(row, field=["two", "one"])
    assert turned["two"] == str(perturb.apply(row["two"], STEPS, seed=5, id="a"))


def test_equal_texts_have_the_key_of_the_first() -> None:
    """In the order of the fields, whichever keeps the key of the row; beside others of their own."""
    row = {"id": "a", "one": "the same words in all", "two": "the same words in all"}
    row["many"] = [row["one"], "some other words", row["one"]]
    alone = perturbed(row, field=["many[*]"])["many"][0]
    made = perturbed(row, field=["many[*]", "one", "two"])
    assert {made["one"], made["two"], made["many"][0], made["many"][2]} == {alone}
    turned = perturbed(row, field=["two", "one", "many[*]"])
    named = str(perturb.apply(row["one"], STEPS, seed=5, id="a"))
    assert {turned["one"], turned["two"], turned["many"][0], turned["many"][2]} == {named}
    assert turned["many"][1] == made["many"][1] != row["many"][1]


def test_a_row_without_an_id_is_named_by_its_first_text() -> None:
    row = {key: value for key, value in ROW.items() if key != "id"}
    made = perturbed(row, field=["question", "context"])
    name = made["perturbation"]["original_id"]
    assert name.partition(".")[0] == perturb.apply(row["question"], "ocr").original_id
    assert made["id"] == f"{name}#{STEPS}"
    assert made["question"] == perturbed(row, field="question")["question"]


@pytest.mark.parametrize("answer", [{}, {"answer": 3}])
def test_an_original_needs_an_id_or_a_text_to_name_it(answer) -> None:
    row = {"choices": [], **answer}
    rows = perturb.augment(
        [row], STEPS, field="choices[*]", target=list(answer), with_original=True
    )
    with pytest.raises(perturb.DataError, match=r"row 1: the row has no text .* and no 'id'"):
        list(rows)


def test_the_record_of_several_texts() -> None:
    """No original beside them; each text has its own changes, in the order of the fields."""
    made = perturbed(ROW, field=["context", "messages[role=user].content", "choices"])
    record = made["perturbation"]
    assert (record["original"], record["original_id"], record["status"]) == ("", "17", "changed")
    records = list(records_in(made))
    assert [one.field for one in records] == [
        *("context", "messages[1].content", "messages[3].content[0].text", "choices"),
    ]
    for one in records:
        assert one.restore() == one.original != one.text
    assert records[0].original == ROW["context"]
    assert records[-1].original == "\n".join(ROW["choices"])


@pytest.mark.parametrize("field", [["question"], ["question", "context"]])
@pytest.mark.parametrize("id", [17, "q", None, "absent"])
def test_a_row_keeps_its_kind_of_id(field, id) -> None:
    row = {key: value for key, value in ROW.items() if key != "id"}
    if id != "absent":
        row["id"] = id
    for lean in (False, True):
        (made,) = perturb.augment([row], STEPS, field=field, lean=lean)
        again = perturb.restored(made)
        assert again == row


def test_status_of_several_texts() -> None:
    """Changed if any is; else the first reason in the order of all."""
    row = {"id": 1, "a": "xyz", "b": "123", "c": ""}
    assert perturbed(row, "char_swap:p=1", field=["b", "a"])["perturbation"]["status"] == "changed"
    said = perturbed(row, "yz_swap:p=1", field=["a", "b"], protect="regex:.+")["perturbation"]
    assert (said["status"], said["edits"], said["expect"]) == ("no site", "id=1", "same")
    said = perturbed(row, "yz_swap:p=0", field=["a"])["perturbation"]
    assert said["status"] == "p is 0"


NAMES = {
    "id": "n",
    "question": "What did Anna buy from Peter?",
    "context": "Peter met Anna. Anna bought a hen from Peter.",
    "answer": "Anna bought a hen.",
    "gold": {"text": "Peter"},
}


def test_the_answer_follows_a_consistent_step() -> None:
    """It sees all texts as one: the same name becomes the same everywhere."""
    made = perturbed(
        NAMES, "name_swap:p=1", field=["context", "question"], target=["answer", "gold.text"]
    )
    new = made["gold"]["text"]
    assert new != "Peter"
    other = made["answer"].split()[0]
    assert made["context"] == NAMES["context"].replace("Peter", new).replace("Anna", other)
    assert made["question"] == NAMES["question"].replace("Peter", new).replace("Anna", other)
    assert made["perturbation"]["expect"] == "mapped"
    changes = made["perturbation"]["edits"].split(";")
    assert [change for change in changes if "gold" in change] == ['gold.text="Peter"']


def test_all_texts_of_a_row_take_a_step_or_none() -> None:
    rows = [{"id": n, "many": ["one hen", "two hens", "ten eggs"]} for n in range(40)]
    turned = perturb.augment(rows, "sometimes(0.5, case:p=1)", field="many[*]")
    changed = [
        {a != b for a, b in zip(row["many"], rows[0]["many"], strict=True)} for row in turned
    ]
    assert all(len(each) == 1 for each in changed)
    assert {True, False} == set().union(*changed)


def test_a_row_is_not_cut_between_batches(monkeypatch) -> None:
    rows = [{**NAMES, "id": n} for n in range(20)]
    steps, fields = "name_swap:p=1 char_swap:p=0.2", ["context", "question"]
    together = list(perturb.augment(rows, steps, field=fields))
    monkeypatch.setattr(perturb.records.texts, "_BATCH_SIZE", 300)
    assert list(perturb.augment(rows, steps, field=fields)) == together


def test_the_answer_gets_no_noise() -> None:
    made = perturbed(NAMES, "keyboard_typos:p=0.5", field="context", target=["answer", "gold.text"])
    assert (made["answer"], made["gold"]) == (NAMES["answer"], NAMES["gold"])
    assert made["perturbation"]["expect"] == "same"


@pytest.mark.parametrize(
    ("target", "value"), [("label", 1), ("answer", "seven of them"), ("letter", "(b)")]
)
@pytest.mark.parametrize("seed", range(4))
def test_the_answer_follows_its_option(target, value, seed) -> None:
    """By number, text or label; in a list of options, and in a text."""
    row = {**ROW, target: value}
    made = perturbed(row, "option_shuffle:p=1", field="choices", target=target, seed=seed)
    now = made["choices"].index("seven of them")
    wanted = {"label": now, "answer": "seven of them", "letter": f"({'abc'[now]})"}[target]
    assert made[target] == wanted
    assert (made["perturbation"]["expect"] == "mapped") == (wanted != value)


QUESTIONS = [
    {"question": "Who?", "answers": [{"text": "Anna", "answer_start": 0}]},
    {"question": "What?", "answers": {"text": ["one hen", "hen"], "answer_start": [9, 13]}},
    {"question": "Why?", "answers": []},
]
SQUAD = {
    "id": "s",
    "title": "Hens",
    "paragraphs": [
        {"context": "Anna has one hen. It lays an egg a day.", "qas": QUESTIONS},
        {"context": "No eggs here.", "qas": []},
        {"context": "Anna has one hen; Peter has none.", "qas": QUESTIONS[:2]},
    ],
}


def test_spans_name_their_text_by_a_key_with_a_point() -> None:
    row = {"my.text": "Anna met Peter", "other": "Bob saw Eve", "labels": [[0, 4]]}
    made = perturbed(row, "filler:count=1", field=["my.text", "other"], spans="my.text=labels")
    (start, end), *_ = made["labels"]
    assert "Anna" in made["my.text"][start:end]


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["grow", "drop"])
@given(seed=st.integers(0, 2**32), steps=st.sampled_from([STEPS, "word_duplicate:p=0.3", "filler"]))
def test_every_answer_stands_where_its_offset_says(policy, seed, steps) -> None:
    """Of nested SQuAD: each list of answers is of the paragraph that it stands in."""
    made = perturbed(
        SQUAD, steps, seed=seed, field="paragraphs[*].context", span_policy=policy,
        spans="paragraphs[*].qas[*].answers",
    )  # fmt: skip
    for paragraph in made["paragraphs"]:
        for one in paragraph["qas"]:
            answers = one["answers"]
            if isinstance(answers, dict):
                answers = [
                    {"text": text, "answer_start": start}
                    for text, start in zip(answers["text"], answers["answer_start"], strict=True)
                ]
            for answer in answers:
                start, text = answer["answer_start"], answer["text"]
                assert paragraph["context"][start : start + len(text)] == text
    same = all(
        a["answers"] == b["answers"] or _texts(a) == _texts(b)
        for one, other in zip(SQUAD["paragraphs"], made["paragraphs"], strict=True)
        for a, b in zip(one["qas"], other["qas"], strict=True)
    )
    if made["perturbation"]["status"] == "changed":
        assert made["perturbation"]["expect"] == ("same" if same else "mapped")


def _texts(question):
    answers = question["answers"]
    return answers["text"] if isinstance(answers, dict) else [one["text"] for one in answers]


def test_spans_of_several_texts_name_theirs() -> None:
    row = {"id": 1, "a": "one two three", "b": "four five six", "x": [[4, 7]], "y": [[5, 9]]}
    made = perturbed(row, "word_duplicate:p=1", field=["a", "b"], spans=["a=x", "b=y"])
    assert (made["x"], made["y"]) == ([[8, 11]], [[10, 14]])
    spans = ["field:a=x", "field:b=y"]
    kept = perturbed(row, "case:p=1,style=upper", field=["a", "b"], protect=spans)
    assert (kept["a"], kept["b"]) == ("ONE two THREE", "FOUR five SIX")
    only = perturbed(row, "case:p=1,style=upper", field=["a", "b"], only=spans)
    assert (only["a"], only["b"]) == ("one TWO three", "four FIVE six")
    with pytest.raises(perturb.DataError, match="'x' may be of a or b: name it, as in TEXT=x"):
        perturbed(row, field=["a", "b"], spans="x")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (["choices", "choices[*]"], None),
        (["messages[*].content", "messages[role=user].content"], "lead to the same text"),
        (["question", "nothing"], "no field 'nothing'"),
        (["question", "label"], "must be a string or a list of strings; got the number 1"),
        (["question", "notes"], "got null"),
    ],
)
def test_what_can_not_be_read_is_refused(field, message) -> None:
    if message is not None:
        with pytest.raises(perturb.DataError, match=message):
            perturbed(ROW, field=field)


texts = st.text(st.sampled_from([*"ab z.%|>=;\t\r\u2028é😀"]), max_size=30)


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from(["a", "b.c", "d%", "e=f", "g|h;"]), texts, min_size=2),
    st.lists(texts, min_size=1, max_size=3),
    st.integers(0, 99),
)
def test_any_row_is_restored(fields, many, seed) -> None:
    """Whatever its fields are called, and whatever they hold."""
    row = {"id": seed, **fields, "many": [{"t": text} for text in many]}
    steps = 'char_replace:p=0.5,alphabet="%|>=;ab" char_insert:p=0.2'
    perturbed(row, steps, field=[*fields, "many[*].t"], seed=seed)


def test_what_was_changed_since_is_found() -> None:
    made = perturbed(ROW, field=["question", "choices[*]"], target="answer")
    for key, value in (
        ("question", ROW["question"]),
        ("choices", ROW["choices"]),
        ("answer", "another answer"),
        ("id", "18#" + made["id"].partition("#")[2]),
        ("id", "17"),
    ):
        with pytest.raises((perturb.VerificationError, perturb.DataError)):
            perturb.verify({**made, key: value})
    for key in ("question", "choices", "answer", "perturbation"):
        with pytest.raises(perturb.DataError):
            perturb.verify({name: value for name, value in made.items() if name != key})
    assert perturb.verify({**made, "label": 5})


@pytest.mark.parametrize("step", ["char_delete:p=0.3", "keyboard_typos:p=0.3"])
def test_the_texts_of_a_row_stay_together_where_a_kernel_leaves_some(step) -> None:
    """A script without spaces between words is left to Python, and its row goes with it."""
    texts = [("jumps over lazy", "fox 東京 b"), ("jumps over", "fox"), ("東京 is", "a 東京 city")]
    rows = [{"text": text, "question": question} for text, question in texts]
    fields = ["text", "question"]
    for some in (rows, rows[:1], rows[1:], rows[2:]):
        made = list(perturb.augment(some, step, field=fields))
        assert made == [each for row in some for each in perturb.augment([row], step, field=fields)]
        assert [perturb.restored(each) for each in made] == some


@pytest.mark.parametrize("question", [[], [{"role": "system", "content": "Be brief."}]])
@pytest.mark.parametrize("others", [0, 1, 3])
def test_an_answer_without_a_question_gets_no_noise(question, others, tmp_path) -> None:
    """It is the only text of its row, and of all rows that are left to be read one by one."""
    answer = "The hens lay sixteen eggs on the farm."
    rows = [{"id": n, "chat": question, "answer": answer} for n in range(2)]
    asked = [{"role": "user", "content": "How many eggs do the hens lay?"}]
    rows += [{"id": n, "chat": asked, "answer": answer} for n in range(2, 2 + others)]
    options = {"field": "chat[role=user].content", "target": "answer"}
    made = list(perturb.augment(rows, "keyboard_typos", p=0.5, **options)) if others else []
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows.append({"id": 99, "chat": asked, "answer": answer})  # a file needs a question
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["--field", options["field"], "--target", "answer", "-i", str(source), "-o", str(out)]
    assert main(["apply", "keyboard_typos", "-p", "0.5", *words]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    made += [json.loads(line) for line in out.read_text().splitlines()]
    assert {row["answer"] for row in made} == {answer}
    assert {row["perturbation"]["status"] for row in made} == {"changed", "not taken"}
    (alone,) = perturb.augment(rows[:1], "keyboard_typos", p=0.5, **options)
    assert (alone["answer"], alone["perturbation"]["status"]) == (answer, "not taken")


def test_a_text_that_a_step_took_says_why_its_row_stayed():
    row = {"question": "Wie viele Äpfel hat sie gekauft?", "answer": "zwei"}
    rows = [{"id": 1, **row}, {"id": 2, "size": 1e400, **row}]  # the second isn't in the block
    made = perturb.augment(rows, "misspelling", p=0.5, field="question", target="answer")
    assert [row["perturbation"]["status"] for row in made] == ["not English"] * 2
