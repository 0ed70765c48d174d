"""Slips of newcomers: the message names what was meant."""

import copy
import pickle
import sys
from functools import cache

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


CALLED = {
    "--share 0.5": "has no option --share: a share of the texts takes a step as 'sometimes(0.5, ocr)'",
    "--save-recipe r.yaml": "has no option --save-recipe: rows and their manifest hold it: give its",
    "--protect digits": "unknown protection 'digits': did you mean number?",
    "--only names": "unknown protection 'names': did you mean word:... or regex:...?",
}


@pytest.mark.parametrize("words", CALLED)
def test_what_newcomers_call_it_leads_to_what_it_is(perturb, words) -> None:
    assert CALLED[words] in perturb(*KEYBOARD, *words.split(), "--text", "a b").message


def test_a_field_of_the_record_is_found(perturb, jsonl) -> None:
    rows = jsonl("a.jsonl", {"id": 1, "answer": "x", "perturbation": {"condition": "ocr"}})
    done = perturb("flips", rows, "--where", "condition=ocr")
    assert (
        "no field 'condition'; it has id, answer, perturbation; did you mean pert" in done.message
    )


def test_no_row_is_said(perturb, tmp_path) -> None:
    """A shard may be empty; that nothing was verified is no success."""
    out, empty = tmp_path / "out.jsonl", tmp_path / "empty.jsonl"
    done = perturb(*KEYBOARD, "-o", out)
    assert (done.status, done.message) == (0, "standard input has no rows, so none were written")
    done = perturb("verify", out)
    assert (done.status, b"no rows reproduced, and the file matches its manifest" in done.out) == (
        0,
        True,
    )
    empty.touch()
    done = perturb("verify", empty)
    assert (done.status, "so there is nothing to verify" in done.message) == (1, True)


MISSES = {
    "minee.jsonl": "did you mean mine.jsonl?",
    r".\mine.jsonl": "a backslash is part of a name here",
    r"C:\data\mine.jsonl": "a backslash is part of a name here",
    "other.csv": "No such file or directory",
    "nowhere/mine.jsonl": "No such file or directory",
}


@pytest.mark.skipif(sys.platform == "win32", reason="a backslash divides folders there")
@pytest.mark.parametrize("name", MISSES)
@pytest.mark.parametrize("command", [("apply", "ocr", "-i"), ("verify",), ("score",)])
def test_a_file_that_is_not_there_is_looked_for(
    perturb, tmp_path, monkeypatch, name, command
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.jsonl").touch()
    (tmp_path / "yours.jsonl").touch()
    assert MISSES[name] in perturb(*command, name).message


def test_input_of_another_format_is_told_its_option(perturb) -> None:
    done = perturb("apply", "typo_mix", stdin=b"id,text\n1,How many eggs?\n")
    assert "name CSV FILE.csv" in done.message
    done = perturb("apply", "typo_mix", stdin=b'{"id": 1, "text": "abc\n')
    assert "Unterminated string starting at character " in done.message


def test_rows_of_no_run_are_told_apart(perturb, jsonl) -> None:
    file = jsonl("mine.jsonl", {"question": "a", "prediction": "b", "answer": "b"})
    assert "perturb apply did not write it" in perturb("score", file).message


@pytest.mark.slow
def test_several_steps_are_shown(perturb) -> None:
    both = perturb("show", "ocr", "asr", "record").out
    alone = [perturb("show", name).out for name in ("ocr", "asr", "record")]
    assert both == b"\n".join(alone)


@cache
def records():
    return perturb_text.apply(["How many eggs?"], "ocr", p=0.5)


SLIPS = {
    "texts": (lambda: records().texts, "[record.text for record in records]"),
    "text": (lambda: records().text, "[record.text for record in records]"),
    "perturbed": (lambda: records()[0].perturbed, "did you mean record.text?"),
    "undo": (lambda: records()[0].undo(), "did you mean record.restore?"),
    "lower": (lambda: records()[0].lower(), "did you mean record.text.lower?"),
    "orignal": (lambda: records()[0].orignal, "did you mean record.original"),
    "a key": (lambda: records()[0]["text"], "attributes, such as record.text; got record['text']"),
    "a step": (lambda: perturb_text.keyboard_typos, "perturb.steps.keyboard_typos"),
    "list": (lambda: perturb_text.list, "did you mean perturb.names?"),
    "appply": (lambda: perturb_text.appply, "did you mean perturb.apply?"),
    "scor": (lambda: perturb_text.robustness.scor, "did you mean perturb.robustness.score"),
    "not called": (lambda: perturb_text.apply("a", perturb_text.steps.ocr), "call it"),
    "a span": (lambda: perturb_text.apply("a", "ocr", spans=[(9, 4)]), "ends before it begins"),
    "order": (lambda: perturb_text.Transform([{}], "ocr"), "perturb.Transform('ocr')(data)"),
    "a file": (lambda: perturb_text.verify("a.jsonl"), "perturb.read_records(FILE)"),
    "a language": (lambda: perturb_text.names("german"), "did you mean de?"),
    "a seed": (lambda: perturb_text.apply("a", "ocr", seed=None), "random.getrandbits(32)"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_python_is_told_the_right_form(name) -> None:
    call, hint = SLIPS[name]
    with pytest.raises((AttributeError, TypeError, perturb_text.UsageError)) as caught:
        call()
    assert hint in str(caught.value)


def test_programs_may_ask_for_what_is_not_there() -> None:
    """Copies and pickles do; names that programs look for cost no search for a near one."""
    assert pickle.loads(pickle.dumps(records())) == copy.deepcopy(records()) == records()
    with pytest.raises(AttributeError, match=r"^a record has no attribute '__array__'$"):
        _ = records()[0].__array__
    assert perturb_text.names("de") == perturb_text.names(language="de")


def test_slips_in_python_say_what_to_do() -> None:
    with pytest.raises(TypeError, match="register takes a perturbator, as from_function"):
        perturb_text.register("foo")
    with pytest.raises(TypeError, match=r"seed must be a whole number; .*; got None"):
        perturb_text.apply("an egg", "case", p=0.1, seed=None)


def test_a_chat_is_read_by_a_path(perturb) -> None:
    chat = b'{"id": 1, "messages": [{"role": "user", "content": "a"}]}'
    done = perturb(*KEYBOARD, "--field", "messages", stdin=chat)
    assert "such as messages[role=user].content" in done.message


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("option_shuffle", "option_shuffle moves answer options; if"),
        ("name_swap", "name_swap changes names or numbers that a right answer may be; if"),
        ("name_swap gender_swap", "gender_swap and name_swap change names or numbers that a"),
    ],
)
def test_an_answer_stays_behind_only_with_a_word(step, says, perturb) -> None:
    row = b'{"id": 1, "choices": ["Ann is here", "Tom is here"], "answer": 0}'
    moved = ("apply", *step.split(), "-p", "1", "--field", "choices")
    said = perturb(*moved, stdin=row).message
    assert says in said
    assert "name it with --target FIELD" in said
    assert perturb(*moved, "--target", "answer", stdin=row).err == ""


def test_a_text_is_no_row_with_options(perturb) -> None:
    done = perturb("apply", "option_shuffle", "--text", "A. red B. sea", "--choices", "c")
    assert (done.status, "leave out --field and --choices" in done.message) == (2, True)


def test_options_that_are_not_found_are_named_by_a_path(perturb) -> None:
    row = (
        b'{"id": 1, "c": [{"text": "red", "label": "A"}, {"text": "sea", "label": "B"}], "a": "B"}'
    )
    call = ("apply", "option_shuffle", "--target", "a")
    done = perturb(*call, "--field", "c[*].text", stdin=row)
    assert "found no options in 1 row: name those in a list, in objects" in done.err
    done = perturb(*call, "--choices", "c[*].text", stdin=row)
    assert (done.err, done.rows[0]["c"][0]["text"]) == ("", "sea")


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
    assert "perturb compare takes several" in perturb("score", out, out).message
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


def test_words_to_protect_may_have_commas_between_them(perturb) -> None:
    """A comma between digits is one of a number."""
    row = b'{"id": 1, "text": "Fooquik-3000, Zeta Flow and 1,000 lamps are here"}'
    rules = ("--protect", "word:Fooquik-3000, Zeta Flow,1,000", "--lean")
    done = perturb("apply", "char_replace:p=1,digits=true", *rules, stdin=row)
    assert b"Fooquik-3000, Zeta Flow " in done.out
    assert b" 1,000 " in done.out
    assert b"lamps" not in done.out


def test_a_step_that_changes_no_row_is_told(perturb, tmp_path) -> None:
    """Plain text has no record that says it; a control, and a strength of 0, are to change none."""
    file, out = tmp_path / "ja.txt", tmp_path / "out.txt"
    here = "\u4eca\u65e5\u306f\u6771\u4eac\u3078"
    file.write_text("".join(f"{here}{n}\n" for n in range(3)), "utf-8")
    done = perturb("apply", "keyboard_typos", "char_swap:p=1", "--grid", file, "-o", out)
    assert done.message == (
        "keyboard_typos changed none of 3 rows: no site, which is a place to act"
    )
    done = perturb("apply", "keyboard_typos", "--text", "How are you?")
    assert done.message == (
        "keyboard_typos changed none of 1 rows: drew zero, by chance: another seed may draw more, "
        "and STEP:min_edits=1 edits every text that has a site"
    )
    done = perturb("apply", "keyboard_typos:min_edits=1", "--text", "How are you?")
    assert (done.err, done.rows[0]["perturbation"]["status"]) == ("", "changed")
    steps = [f"char_{each}:p=0.001" for each in ("swap", "delete", "repeat", "insert")]
    done = perturb("apply", *steps, "--grid", "--text", "How are you?")
    more = ", char_delete:p=0.001, char_repeat:p=0.001 and 1 more changed none of 1 rows: drew zero"
    assert done.message.startswith(f"char_swap:p=0.001{more}")
    row = b'{"id": 1, "text": "here"}'
    assert perturb("apply", "identity", "ocr:p=0", "--grid", stdin=row).err == ""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_rule_that_matches_nothing_is_told(perturb, tmp_path, workers) -> None:
    """Of rules of any kind, to protect and for places of edits."""
    file, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = (
        f'{{"text": "{who}", "n": {n}}}\n' for n, who in enumerate(["Ann saw a dog"] * 3 + ["Bob"])
    )
    file.write_text("".join(lines), "utf-8")
    given = ("char_swap:p=1", "-i", file, "-o", out, "--workers", workers)
    assert perturb("apply", *given, "--protect", "word:Bob,Ann").err == ""
    done = perturb("apply", *given, "--protect", "word:Bob,ann")
    assert done.message == f"--protect word:ann matches nothing in {file}; case matters"
    done = perturb("apply", *given, "--protect", "url", "--protect", "regex:zz")
    told = [f"perturb: --protect {rule} matches nothing in {file}" for rule in ("url", "regex:zz")]
    assert done.err.splitlines() == told
    done = perturb("apply", *given, "--only", "word:dog", "--only", "regex:x+")
    assert done.message == f"--only regex:x+ matches nothing in {file}"


def test_a_folder_of_another_recipe_is_replaced_with_a_word(perturb, tmp_path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_text('{"id": 1, "text": "ten red hens"}\n', "utf-8")
    given = ("-i", tmp_path / "in", "-o", tmp_path / "out")
    assert perturb("apply", "char_swap:p=1", *given).err == ""
    assert "already there" in perturb("apply", "char_swap:p=1", *given).err
    again = perturb("apply", "char_delete:p=1", *given)
    assert "was made by another recipe, " in again.message
    assert again.message.endswith(" --contract 4; replacing all of its shards")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("undo", "out.jsonl"), "did you mean restore?"),
        (("search", "typo"), "did you mean list?"),
        (("help", "ocr"), "perturb show ocr"),
        (("list", "--search", "typo"), "give a word alone"),
        (("score", "a.jsonl", "--confidence", "0.99"), "all intervals are 95 % intervals"),
        (("power", "--accuracy", "0.8", "--drop", "5%"), "5 % is 0.05"),
        (("score", "a.jsonl", "--fail-if", "drop > 5"), "'drop>0.05'"),
        (("apply", "shout"), "--plugin FILE"),
        (("apply", "ocr", "--field", "id"), "name the rows by another one with --id-field"),
        (
            ("apply", "one_of", "keyboard_typos", "ocr"),
            "in quotes in a shell, as in 'one_of(ocr | case)'",
        ),
        (("list", "--language", "german"), "did you mean de?"),
        (("list", "nosuchword"), "no perturbator matches 'nosuchword'"),
        (
            (
                "list",
                "--keeps",
                "letters",
                "--keeps",
                "words",
                "--max-risk",
                "none",
                "--language",
                "en",
                "--expect",
                "other",
            ),
            "no perturbator matches these options",
        ),
        (("apply", "ocr", "--cer", "0.05"), "of 1 to 20 % give --severity 1 to 5"),
    ],
)
def test_what_newcomers_type_is_told_the_right_form(perturb, words, hint) -> None:
    done = perturb(*words)
    assert (done.status, hint in done.message) == (2, True), done.message


@pytest.mark.parametrize(
    ("field", "hint"),
    [
        ("messages.content", "write messages[*].content or messages[role=user].content"),
        ('messages[role="user"].content', "without quotes, as in messages[role=user].content"),
    ],
)
def test_a_path_into_a_list_is_told_the_right_form(perturb, field, hint) -> None:
    chat = b'{"id": 1, "messages": [{"role": "user", "content": "a"}]}'
    assert hint in perturb(*KEYBOARD, "--field", field, stdin=chat).message


def test_answers_that_are_not_there_are_asked_for(perturb, tmp_path) -> None:
    out = tmp_path / "out.jsonl"
    perturb(*KEYBOARD, "-o", out, stdin=b'{"id": 1, "text": "ten hens", "answer": "a"}')
    assert "perturb run asks a system" in perturb("score", out).message
    assert "name the file beside it" in perturb("verify", f"{out}.manifest.json").message


def test_a_script_is_run_by_a_program(perturb, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").touch()
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "a"}\n', "utf-8")
    done = perturb("run", "in.jsonl", "-o", "out.jsonl", "--command", "model.py")
    assert done.message.endswith("run a script with one, as in python model.py")
    ended = perturb("run", "in.jsonl", "-o", "out.jsonl", "--command", "true")
    assert ended.message == "the command ended with status 0 before it answered '1'"


def test_perturbators_are_listed_by_a_word(perturb) -> None:
    lines = perturb("list", "Typo").out.decode().splitlines()[1:]
    names = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert names == ["human_typos", "keyboard_typos", "typo_mix"]


def test_arguments_of_other_libraries_are_known_in_python() -> None:
    rows = [{"id": 1, "text": "ten hens"}]
    with pytest.raises(ValueError, match="no argument 'n': did you mean replicates"):
        perturb_text.augment(rows, "ocr", n=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="no argument 'rate': did you mean p"):
        perturb_text.apply("ten hens", "ocr", rate=0.1)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="rows are dicts"):
        perturb_text.robustness.score(["a"])  # type: ignore[list-item]
