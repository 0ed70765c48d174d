"""What is written to be cited: a card, and the metadata of model hubs."""

import json

import pytest
import yaml

import perturb
from perturb.cli import main
from perturb.io.files import SeenBytes
from perturb.stream.manifest import asked_manifest

STEPS = ["keyboard_typos:p=0.1", "keyboard_typos:p=0.4"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two systems' answers to the same frozen rows, with manifests."""
    folder = tmp_path_factory.mktemp("cards")
    rows = [{"id": at, "text": f"The fox number {at} jumps.", "answer": "fox"} for at in range(60)]
    (folder / "foxes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    noisy = folder / "noisy.jsonl"
    call = [*STEPS, "--grid", "--seed", "7", "--with-original", "-o", str(noisy)]
    assert main(["apply", *call, "-i", str(folder / "foxes.jsonl")]) == 0
    (folder / "runs").mkdir()
    for name, known in (("word", "fox"), ("any", "")):
        asked = {"command": "run", "options": {"model": f"org/{name}"}}
        path = folder / "runs" / f"{name}.jsonl"
        about = asked_manifest(
            asked=asked, source=str(noisy), written=SeenBytes(hashed=True), counts={}
        )
        path.with_name(f"{path.name}.manifest.json").write_bytes(about)
        with path.open("w", encoding="utf-8") as file:
            for line in noisy.read_text("utf-8").splitlines():
                row = json.loads(line)
                said = "fox" if known in row["text"] else "dog"
                file.write(json.dumps({**row, "prediction": said}) + "\n")
    return folder / "runs"


def written(capsys, *call):
    assert main([*map(str, call)]) == 0
    return capsys.readouterr().out


def manifest_of(runs):
    return json.loads((runs.parent / "noisy.jsonl.manifest.json").read_text("utf-8"))


@pytest.mark.slow
def test_a_card_tells_the_frozen_rows_the_noise_and_what_was_found(capsys, runs):
    text = written(capsys, "score", runs / "word.jsonl", "--format", "card")
    manifest = manifest_of(runs)
    assert text.startswith("# Robustness: word\n\n| | |\n| --- | --- |\n| system | org/word |\n")
    assert f"| frozen rows (SHA-256) | {manifest['output']['sha256']} |" in text
    assert manifest["recipe"].replace("|", r"\|") in text
    assert "| seed | 7 |" in text
    assert "| size | 60 originals, 120 perturbed rows of each system |" in text
    assert "**Breaks under keyboard_typos from p=" in text
    assert "Tolerance of word: 0.05 is lost under keyboard_typos " in text
    assert "\nperturb apply " in text
    table = [line for line in text.splitlines()[2:9] if line]
    assert {line.replace(r"\|", "").count("|") for line in table} == {3}


def test_a_card_of_systems_has_the_table_for_a_paper(capsys, runs):
    text = written(capsys, "compare", runs, "--format", "card")
    assert "| systems | org/any; org/word |" in text
    assert text.count(manifest_of(runs)["output"]["sha256"]) == 1
    assert "Tolerance of any: " in text
    lone = written(capsys, "score", runs / "any.jsonl", "--format", "card", "--margin", "0.1")
    assert "`perturb score " in lone
    assert "any.jsonl --margin 0.1 --format card`" in lone


def test_a_card_counts_the_rows_that_each_system_answered(capsys, runs, tmp_path):
    """A lost reply is in no mean, nor are the versions of an original whose reply is lost."""
    sizes = []
    for name, lost in (("word", 7), ("any", 20)):
        rows = [
            json.loads(line) for line in (runs / f"{name}.jsonl").read_text("utf-8").splitlines()
        ]
        for row in rows[::lost]:
            row["prediction"] = None
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        origins = [row["perturbation"] for row in rows]
        there = {
            origin["original_id"]
            for row, origin in zip(rows, origins, strict=True)
            if row["prediction"] and origin["status"] == "original"
        }
        counted = [
            origin["original_id"]
            for row, origin in zip(rows, origins, strict=True)
            if row["prediction"] and origin["status"] != "original"
            if origin["original_id"] in there
        ]
        sizes.append((len({*counted}), len(counted)))
    (few, least), (more, most) = sizes
    assert few < more < 60
    assert least < most < 120
    text = written(capsys, "compare", tmp_path, "--format", "card")
    size = f"{few} to {more} originals, {least} to {most} perturbed rows of each system"
    assert f"| size | {size} |" in text
    for name, (originals, count) in zip(("word", "any"), sizes, strict=True):
        text = written(capsys, "score", tmp_path / f"{name}.jsonl", "--format", "card")
        assert f"| size | {originals} originals, {count} perturbed rows of each system |" in text


@pytest.mark.slow
def test_without_a_manifest_a_card_says_what_is_not_known(capsys, runs, tmp_path):
    path = tmp_path / "bare.jsonl"
    path.write_bytes((runs / "word.jsonl").read_bytes())
    text = written(capsys, "score", path, "--format", "card")
    assert text.count("not known: no manifest stands beside the answers") == 3
    assert "| system | bare |" in text
    assert "To make it again" not in text


def test_the_metadata_of_model_hubs(capsys, runs):
    text = written(capsys, "compare", runs, "--format", "model-index")
    index = yaml.safe_load(text)["model-index"]
    assert [model["name"] for model in index] == ["any", "word"]
    first, *_, last = index[1]["results"]
    assert first["dataset"]["name"] == "foxes, keyboard_typos p=0.1"
    assert first["dataset"]["args"]["sha256"] == manifest_of(runs)["output"]["sha256"]
    assert last["dataset"]["config"] == "overall"
    lines = (runs / "word.jsonl").read_text("utf-8").splitlines()
    overall = perturb.robustness.score(map(json.loads, lines)).overall[0]
    assert [one["value"] for one in last["metrics"]] == [
        overall.comparison.clean_mean,
        overall.comparison.perturbed_mean,
        overall.difference,
    ]
    assert last["metrics"][2]["args"]["verdict"] == "worse"


def test_the_hub_library_reads_the_metadata(capsys, runs):
    hub = pytest.importorskip("huggingface_hub.repocard_data")
    text = written(capsys, "score", runs / "word.jsonl", "--format", "model-index")
    name, results = hub.model_index_to_eval_results(yaml.safe_load(text)["model-index"])
    assert name == "word"
    assert {result.metric_type for result in results} == {"accuracy", "accuracy_change"}
    assert len({result.unique_identifier for result in results}) == 3
    again = hub.eval_results_to_model_index(name, results)
    assert len(again[0]["results"]) == 3
