"""Slips of newcomers: the message names what was meant."""

import pytest

import perturb as perturb_text

KEYBOARD = ("apply", "keyboard_typos:p=0.1")


def test_a_message_names_a_handful(perturb) -> None:
    done = perturb("apply", "ocr", "--protect", "qqq")
    assert done.message.count(", ") < 15


def test_a_field_is_guessed_and_an_address_is_told(perturb) -> None:
    done = perturb(*KEYBOARD, "--field", "questoin", stdin=b'{"id": 1, "question": "a"}')
    assert "no field 'questoin': did you mean question?" in done.message
    done = perturb(*KEYBOARD, "-i", "s4://me:secret@bucket/q.jsonl")
    assert (done.status, "secret" in done.message) == (2, False)
    assert "s4://" in done.message


def test_no_row_is_said(perturb, tmp_path) -> None:
    """A shard may be empty; that nothing was verified is no success."""
    out, empty = tmp_path / "out.jsonl", tmp_path / "empty.jsonl"
    done = perturb(*KEYBOARD, "-o", out)
    assert (done.status, done.message) == (0, "standard input holds no row, so none was written")
    done = perturb("verify", out)
    assert (done.status, b"holds no row, and the file is as its manifest says" in done.out) == (
        0,
        True,
    )
    empty.touch()
    done = perturb("verify", empty)
    assert (done.status, "so nothing was verified" in done.message) == (1, True)


def test_slips_in_python_say_what_to_do() -> None:
    with pytest.raises(TypeError, match="register takes a perturbator, as from_function"):
        perturb_text.register("foo")
    with pytest.raises(TypeError, match="seed must be a whole number; got None"):
        perturb_text.apply("an egg", "case", p=0.1, seed=None)


def test_a_chat_is_read_by_a_path(perturb) -> None:
    chat = b'{"id": 1, "messages": [{"role": "user", "content": "a"}]}'
    done = perturb(*KEYBOARD, "--field", "messages", stdin=chat)
    assert "such as messages[role=user].content" in done.message


def test_an_answer_stays_behind_only_with_a_word(perturb) -> None:
    row = b'{"id": 1, "choices": ["red", "green"], "answer": 0}'
    moved = ("apply", "option_shuffle", "--field", "choices")
    assert "only with --target FIELD" in perturb(*moved, stdin=row).message
    assert perturb(*moved, "--target", "answer", stdin=row).err == ""


def test_a_file_without_records_is_not_said_to_be_of_others(perturb, tmp_path) -> None:
    out = tmp_path / "out.txt"
    perturb(*KEYBOARD, "-o", out, stdin=b'{"id": 1, "text": "a"}')
    assert "a format without records" in perturb("diff", out).message


def test_what_can_not_be_lost_is_said(perturb, tmp_path) -> None:
    out = tmp_path / "out.jsonl"
    perturb("apply", "ocr", "--grid", "-p", "0.1,0.2", "--with-original", "-o", out,
            stdin=b'{"id": 1, "text": "a bill", "score": 1}')  # fmt: skip
    done = perturb("tolerance", out, "--score", "score", "--lose", "5")
    assert (done.status, done.message) == (
        2,
        "all scores lie between 0 and 1, so none can fall by 5; 5 points are 0.05",
    )
    assert perturb("score", out, "--score", "score", "--margin", "2").status == 2
    assert "perturb compare several" in perturb("score", out, out).message
    assert "got a drop of 0.01" in perturb("power", "--accuracy", "0.8", "--drop", "0.01").message
    done = perturb("power", "--drop", "3")
    assert done.message == "drop must lie between 0 and 1; got 3.0; 3 % is 0.03"
    assert "--accuracy" in perturb("power", "--drop", "0.03").message


def test_a_function_without_an_annotation_is_refused(forget) -> None:
    named = {"unit": "text", "summary": "Shout.", "label_risk": "low"}
    with pytest.raises(perturb_text.UsageError, match=r"annotate the first .* text: str"):
        perturb_text.perturbator("loud", **named)(lambda text: text.upper())


def test_the_name_of_a_file_is_no_row() -> None:
    for judge in (perturb_text.robustness.score, perturb_text.robustness.tolerance):
        with pytest.raises(TypeError, match=r"rows are dicts, .* got 'answered.jsonl'"):
            judge("answered.jsonl")
