"""`perturb run --until`: rounds, their journal, and runs that are killed on the way."""

import json
import shlex
import sys

import pytest

import perturb as package

SYSTEM = """\
import json, sys, zlib
for line in sys.stdin:
    row = json.loads(line)
    lost = "#" in row["id"] and zlib.crc32(row["id"].encode()) % 100 < {percent}
    print(json.dumps("no" if lost else "yes"), flush=True)
"""


@pytest.fixture
def rows(jsonl):
    plain = [{"id": f"q{at}", "text": f"some text {at}", "answer": "yes"} for at in range(150)]
    return jsonl("rows.jsonl", *package.augment(plain, "char_delete", p=0.3, with_original=True))


@pytest.fixture
def ask(perturb, tmp_path, rows):
    """Ask a system that loses so many percent of the noisy rows."""

    def ask(*more, percent=18):
        program = tmp_path / "system.py"
        program.write_text(SYSTEM.format(percent=percent))
        command = shlex.join([sys.executable, str(program)])
        return perturb("run", rows, "-o", tmp_path / "out.jsonl", "--command", command, *more)

    return ask


def looks(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if "look" in line]


@pytest.mark.slow
def test_a_run_stops_and_says_what_was_saved(ask, perturb, tmp_path) -> None:
    done = ask("--until", "decided")
    *_, look, saved = done.err.splitlines()
    entries = looks(tmp_path / "out.jsonl.journal")
    number, count = entries[-1]["look"], entries[-1]["originals"]
    assert 1 < number < 5
    assert [entry["decided"] for entry in entries] == [False] * (number - 1) + [True]
    assert look == f"perturb: look {number} of 5: decided with {count} originals"
    assert saved == f"perturb: saved {300 - 2 * count} of 300 calls"
    answered = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(answered) == 2 * count
    assert {row["response"]["look"] for row in answered} == {f"{number}/5"}
    report = json.loads(perturb("score", tmp_path / "out.jsonl", "--json").out)
    assert entries[-1]["verdicts"] == {"char_delete p=0.3": report["conditions"][0]["verdict"]}
    assert report["conditions"][0]["verdict"] == "worse"
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    options = manifest["asked"]["options"]
    assert (options["until"], options["margin"], options["match"]) == ("decided", 0.02, "exact")


RULES = ("--margin", "0.06", "--cluster", "room", "--unanswered", "wrong", "--range", "0,1")


@pytest.mark.slow
def test_score_goes_by_the_rules_of_the_run(ask, perturb, tmp_path, jsonl) -> None:
    plain = [
        {"id": f"q{at}", "text": f"some text {at}", "gold": "yes", "room": f"r{at % 100}"}
        for at in range(150)
    ]
    jsonl("rows.jsonl", *package.augment(plain, "char_delete", p=0.3, with_original=True))
    ask("--until", "decided", "--target", "gold", *RULES, percent=30)
    output = tmp_path / "out.jsonl"
    options = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())["asked"]["options"]
    assert (options["cluster"], options["unanswered"]) == (["room"], "wrong")
    *_, entry = looks(tmp_path / "out.jsonl.journal")
    report = json.loads(perturb("score", output, "--json").out)
    assert report["margin"] == 0.06
    assert entry["verdicts"] == {"char_delete p=0.3": report["conditions"][0]["verdict"]}
    clusters = report["conditions"][0]["units"]
    assert 0 < clusters < report["conditions"][0]["originals"]
    told = "Asking stopped by"
    assert told not in str(report["hints"])
    other = json.loads(perturb("score", output, "--json", "--margin", "0.02").out)
    assert other["margin"] == 0.02
    assert f"{told} --margin 0.06; these verdicts go by --margin 0.02." in other["hints"]
    for command, *more in (("compare", output), ("tolerance",), ("report", "-o", tmp_path / "p")):
        done = perturb(command, output, *more, "--unanswered", "out")
        page = (tmp_path / "p").read_text() if command == "report" else done.out.decode()
        words = f"{told} --unanswered wrong; these verdicts go by --unanswered out."
        assert words in " ".join(page.split()), command
    explain = ("explain", "-o", tmp_path / "e.jsonl", "--command", "cat")
    for command, *more in (("flips",), ("dispersion",), ("power",), explain):
        assert told not in perturb(command, output, *more).err
        done = perturb(command, output, *more, "--match", "contains")
        assert f"{told} --match exact; these verdicts go by --match contains." in done.err, command


@pytest.mark.slow
def test_rows_that_cannot_be_graded_are_found_before_any_is_asked(ask, jsonl, tmp_path) -> None:
    right = {9: "Jupiter"}
    plain = [{"id": f"q{n}", "text": f"text {n}", "answer": right.get(n, "4")} for n in range(20)]
    jsonl("rows.jsonl", *package.augment(plain, "char_delete", p=0.3, with_original=True))
    done = ask("--until", "decided", "--match", "number")
    message = "rows.jsonl:19: answer holds no number, got 'Jupiter'"
    assert (done.status, message in done.message) == (1, True)
    assert not (tmp_path / "out.jsonl.journal").exists()


@pytest.mark.slow
def test_what_cannot_be_judged_is_not_called_decided(ask, jsonl) -> None:
    """All answers are wrong, so that nothing can be lost, however many more are asked."""
    plain = [{"id": f"q{at}", "text": f"some text {at}", "answer": "both"} for at in range(150)]
    jsonl("rows.jsonl", *package.augment(plain, "char_delete", p=0.3, with_original=True))
    done = ask("--until", "decided")
    *_, state, why, look, _ = done.err.splitlines()
    assert "cannot judge, for good (no original is answered correctly" in state
    assert why == "perturb:   the other 120 originals would hardly decide the rest"
    assert look == "perturb: look 1 of 5: nothing more to decide with 30 originals"


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_killed_run_keeps_its_plan(ask, tmp_path, share) -> None:
    """Its journal is cut at any place, within a line too; then the same call goes on."""
    ask("--until", "decided")
    output, journal = tmp_path / "out.jsonl", tmp_path / "out.jsonl.journal"
    whole, entries, lines = output.read_bytes(), looks(journal), journal.read_bytes()
    output.unlink()
    journal.write_bytes(lines[: int(share * len(lines))])
    assert ask("--until", "decided").status == 0
    assert output.read_bytes() == whole
    assert looks(journal) == entries
    again = ask("--until", "decided")
    assert "0 answers" in again.err
    assert output.read_bytes() == whole
    assert looks(journal) == entries


@pytest.mark.slow
def test_what_was_seen_at_a_look_stays(ask, tmp_path) -> None:
    """A look that is in the journal is not taken again, so no second sight decides otherwise."""
    ask("--until", "decided", percent=80)
    journal = tmp_path / "out.jsonl.journal"
    assert [entry["decided"] for entry in looks(journal)] == [True]
    text = journal.read_text().replace('"decided":true', '"decided":false')
    journal.write_text(text)
    ask("--until", "decided", percent=80)
    assert [entry["decided"] for entry in looks(journal)] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--until", "overall"), "under other settings: until.until was 'decided', now 'overall';"),
        (
            ("--until", "decided", "--margin", "0.1"),
            "under other settings: until.margin was 0.02, now 0.1;",
        ),
    ],
)
def test_another_plan_is_refused(ask, more, message) -> None:
    ask("--until", "decided")
    done = ask(*more)
    assert done.status == 2
    assert message in done.message


@pytest.mark.slow
def test_a_run_that_stopped_early_asks_the_rest(ask, perturb, tmp_path) -> None:
    """As at its last look, since somebody may have gone on because of what was seen earlier."""
    ask("--until", "decided", percent=80)
    early = looks(tmp_path / "out.jsonl.journal")
    done = ask(percent=80)
    assert (done.status, "asked now as at look 5/5" in done.err) == (0, True), done.err
    output = tmp_path / "out.jsonl"
    assert len(output.read_text().splitlines()) == 300
    assert (
        b"looked at 5 times: intervals and p-values allow for all" in perturb("score", output).out
    )
    assert looks(tmp_path / "out.jsonl.journal") == early
    assert "0 answers" in ask("--until", "decided", percent=80).err


@pytest.mark.slow
def test_what_began_without_looks_ends_without(ask, tmp_path) -> None:
    ask(percent=80)
    output = tmp_path / "out.jsonl"
    whole = output.read_bytes()
    done = ask("--until", "decided", percent=80)
    assert "0 answers, 300 from an earlier call" in done.err
    assert "asked without looks, so all are asked now, in one go" in done.err
    assert output.read_bytes() == whole


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--margin", "0.1"), "--margin does nothing without --until or --bisect"),
        (("--bisect", "--margin", "0.1"), "--margin does nothing without --until;"),
        (("--target", "answer"), "--target does nothing without --until or --bisect"),
        (
            ("--until", "decided", "--bisect"),
            "--bisect does nothing with --until, which asks in rounds",
        ),
        (("--lose", "0.1"), "--lose does nothing without --until or --bisect"),
        (("--bisect", "--match", "judge"), "use another way than --match judge"),
        (("--until", "decided", "--match", "judge"), "use another way than --match judge"),
        (("--until", "never"), "invalid choice: 'never'"),
    ],
)
def test_options_that_do_not_go_together(ask, more, message) -> None:
    done = ask(*more)
    assert done.status == 2
    assert message in done.message


def test_a_plan_is_shown_and_nothing_asked(ask, tmp_path) -> None:
    done = ask("--until", "decided", "--dry-run")
    assert b"300 questions, 0 of them already answered" in done.out
    assert b'"looks": 5, "originals": 150' in done.out
    assert not (tmp_path / "out.jsonl").exists()


def test_what_cannot_be_judged_is_not_asked(ask, jsonl, tmp_path, rows) -> None:
    done = ask("--until", "decided", "--target", "gold")
    assert done.message.startswith(f"{rows}:1: there is no field 'gold'")
    jsonl("rows.jsonl", {"id": "q1", "text": "some text", "answer": "yes"})
    assert "no row is perturbed" in ask("--until", "decided").message
    assert not (tmp_path / "out.jsonl.journal").exists()


def test_a_batch_is_asked_at_once(run, rows) -> None:
    done = run(rows, "--until", "decided", "--write-batch", "batch.jsonl")
    assert done.status == 2
    assert "--write-batch does nothing with --until, which asks in rounds" in done.message
