"""Rows that share an id are joined only if they are of one original."""

import re

import pytest

import perturb
from perturb.cli import main
from perturb.errors import DataError
from perturb.robustness import compare, flips, score, tolerance

TEXT = "How many eggs of kind {} do {} hens lay in a week?"
RIGHT = {"score": {"threshold": 0.5}}


def questions(count=30, form=TEXT, **fields):
    return [
        {"id": f"q{at}", "question": form.format(at, at + 1), "answer": str(at), **fields}
        for at in range(count)
    ]


def noisy(rows, steps="char_swap", *, p=0.3, **options):
    return list(perturb.augment(rows, steps, p=p, field="question", **options))


def answered(rows):
    return [{**row, "prediction": row["answer"], "score": 1.0} for row in rows]


CLEAN, OTHERS = questions(), questions(form="Name the capital of country {}, or of {}.")
COMMANDS = {
    "score": lambda rows: score(rows),
    "score by field": lambda rows: score(rows, metrics=RIGHT),
    "flips": lambda rows: flips(rows, RIGHT),
    "compare": lambda rows: compare(rows, rows),
    "tolerance": lambda rows: tolerance(rows),
}


@pytest.mark.parametrize("judge", COMMANDS.values(), ids=COMMANDS)
def test_rows_of_other_originals_are_refused(judge):
    rows = answered([*OTHERS, *noisy(CLEAN)])
    message = (
        "row 0 and row 30 have the same id, 'q0', but not the same original (and 29 more such ids)"
        ": 'Name the capital of country 0, or of 1.' and 'How many eggs of kind 0 do 1 hens lay in "
        "a week?'. Give the originals that were perturbed"
    )
    with pytest.raises(DataError, match=re.escape(message)):
        judge(rows)
    strengths = [noisy(CLEAN, p=p) for p in (0.1, 0.2)]
    judge(answered([*CLEAN, *strengths[0], *strengths[1]]))


@pytest.mark.parametrize("command", ["score", "flips", "tolerance", "report"])
def test_the_commands_refuse_an_unrelated_file_of_originals(command, write, tmp_path, capsys):
    rows, clean = write("p.jsonl", answered(noisy(CLEAN))), write("c.jsonl", answered(OTHERS))
    more = ["-o", str(tmp_path / "page.html")] if command == "report" else []
    assert main([command, str(rows), "--clean", str(clean), *more]) == 1
    said = capsys.readouterr().err
    assert f"{clean}:1 and {rows}:1 have the same id, 'q0', but not the same original" in said


@pytest.mark.slow
def test_compare_refuses_systems_that_were_asked_other_questions(write, capsys):
    sides = [answered(noisy(rows, with_original=True)) for rows in (CLEAN, OTHERS)]
    with pytest.raises(DataError, match=r"row 1 and row 1 have the same id, 'q0', .* \(and 29 mor"):
        compare(*sides)
    with pytest.raises(DataError, match="'q0', but not the same original"):
        compare({"a": sides[0], "b": sides[0], "c": sides[1]})
    with pytest.raises(DataError, match="'q0', but not the same original"):
        tolerance(*sides)
    paths = [write(name, rows) for name, rows in zip("ab", sides, strict=True)]
    assert main(["compare", *map(str, paths)]) == 1
    assert f"{paths[0]}:2 and {paths[1]}:2 have the same id, 'q0'" in capsys.readouterr().err


def test_systems_with_other_right_answers_are_refused():
    rows = answered(noisy(CLEAN, with_original=True))
    other = [{**row, "answer": f"{row['answer']}!"} for row in rows]
    with pytest.raises(DataError, match=r"'q0', but not the same right answer .*: '0' and '0!'"):
        compare(rows, other)


@pytest.mark.parametrize("at", [0, 17])
def test_one_original_that_differs_is_enough(at):
    """Its text is shown from where it parts from the other."""
    clean = [dict(row) for row in CLEAN]
    clean[at]["question"] = clean[at]["question"].replace("a week", "a month")
    message = f"'q{at}', but not the same original: '….* in a month.' and '….* in a week.'"
    with pytest.raises(DataError, match=message):
        score(answered([*clean, *noisy(CLEAN)]))


def test_originals_that_were_written_are_compared_by_their_checks():
    (changed, *_) = noisy(OTHERS, with_original=True)
    rows = noisy(CLEAN, with_original=True)
    rows[0] = changed
    with pytest.raises(DataError, match="row 0 and row 1 have the same id"):
        score(answered(rows))


@pytest.mark.parametrize(
    "options",
    [{"lean": True}, {"target": "answer"}, {"id_field": "key"}],
    ids=["lean", "target", "id field"],
)
def test_what_a_check_is_of_follows_the_recipe(options):
    rows = [{"key": row["id"], **row} for row in CLEAN]
    clean = answered(rows)
    made = answered(noisy(rows, **options))
    assert not joined_by_id(score([*clean, *made]))
    other = [{**row, "question": row["question"].upper()} for row in clean]
    with pytest.raises(DataError, match="not the same original"):
        score([*other, *made])


def test_rows_of_several_fields_are_compared_by_all_of_them():
    rows = [{**row, "context": f"There are {at} hens."} for at, row in enumerate(CLEAN)]
    made = answered(perturb.augment(rows, "char_swap", p=0.3, field=["question", "context"]))
    assert not joined_by_id(score([*answered(rows), *made]))
    other = [{**row, "context": "There are no hens."} for row in answered(rows)]
    with pytest.raises(DataError, match=r"week\?\\nThere are no hens.' and '"):
        score([*other, *made])


def test_where_files_perturb_other_fields_originals_without_a_record_are_compared_with_one():
    """What is not compared is counted; with records of their own, all of them are compared."""
    rows = [{**row, "context": f"There are {at} hens."} for at, row in enumerate(CLEAN)]
    made = noisy(rows)
    made += perturb.augment(rows, "ocr", p=0.3, field="context")
    assert "30 of 60 perturbed rows" in joined_by_id(score(answered([*rows, *made])))[0]
    rows[3]["question"] = "How many?"
    with pytest.raises(DataError, match=r"'q3', .*: 'How many\?' and 'How many eggs of kind 3"):
        score(answered([*rows, *made]))


def joined_by_id(found):
    return [hint for hint in found.hints if "by id alone" in hint]


@pytest.mark.slow
def test_rows_whose_original_holds_no_text_are_joined_and_counted(write, command):
    clean = [{key: row[key] for key in ("id", "prediction", "answer", "score")}
             for row in answered(CLEAN)]  # fmt: skip
    clean[4]["question"] = CLEAN[4]["question"]
    rows = answered(noisy(CLEAN))
    said = (
        "29 of 30 perturbed rows were joined with their originals by id alone: the clean rows lack "
        "the text, so nothing shows that they are the same."
    )
    assert joined_by_id(score([*clean, *rows])) == [said]
    twice = [*clean, *rows]
    both = [said.replace("29 of 30", "58 of 60")]
    assert joined_by_id(compare(twice, twice)) == both
    steps = [*rows, *answered(noisy(CLEAN, p=0.1))]
    assert joined_by_id(tolerance([*clean, *steps])) == both
    assert said in command("flips", write("all.jsonl", twice), "--score", "score")


@pytest.mark.parametrize("clean", ["4", 4])
def test_a_right_answer_is_one_in_json_and_csv(clean):
    rows = [{"id": 1, "question": "Two and two?", "answer": 4}]
    for target in (4, "4"):
        made = noisy([{**rows[0], "answer": target}], p=1.0, target="answer")
        found = score(
            [{**rows[0], "answer": clean, "prediction": "4"}, {**made[0], "prediction": 4}]
        )
        assert found.conditions[0].comparison.originals == 1


def test_other_right_answers_are_refused_where_these_stay_the_same():
    rows = answered(noisy(CLEAN))
    clean = [{**row, "answer": "7"} for row in answered(CLEAN)]
    message = r"'q0', but not the same right answer \(and 28 more such ids\): '7' and '0'"
    with pytest.raises(DataError, match=message):
        score([*clean, *rows])
    assert score([*clean, *rows], metrics=RIGHT).overall  # no right answer is graded
    mapped = answered(noisy(CLEAN, expect="mapped"))
    assert score([*clean, *mapped]).overall


def test_a_damaged_check_is_of_no_original():
    rows = answered([*CLEAN, *noisy(CLEAN, lean=True)])
    rows[35]["perturbation"]["check"] = "x12"
    with pytest.raises(DataError, match="row 5 and row 35 have the same id, 'q5'"):
        score(rows)
    rows[35]["perturbation"]["check"] = ""
    assert "1 of 30 perturbed rows were joined" in joined_by_id(score(rows))[0]
