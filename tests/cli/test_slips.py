"""Slips of newcomers: the message names what was meant."""

import pytest

import perturb as perturb_text

KEYBOARD = ("apply", "keyboard_typos:p=0.1")


def test_a_message_names_a_handful(perturb) -> None:
    done = perturb("apply", "qqq")
    assert done.message.count(", ") < 15
    assert " more" in done.message


def test_a_field_is_guessed_and_an_address_is_told(perturb) -> None:
    done = perturb(*KEYBOARD, "--field", "questoin", stdin=b'{"id": 1, "question": "a"}')
    assert "there is no 'questoin'; did you mean question?" in done.message
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
