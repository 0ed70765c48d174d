"""inspect_ai: a solver and a data set with noise, run against its own mock model."""

import pytest

import perturb

inspect_ai = pytest.importorskip("inspect_ai")
pytestmark = pytest.mark.filterwarnings("default")

QUESTIONS = [f"How many eggs are {number} and 3 eggs?" for number in range(4)]


def samples():
    from inspect_ai.dataset import Sample

    return [
        Sample(input=text, target=str(at + 3), id=f"q{at}") for at, text in enumerate(QUESTIONS)
    ]


def quiet():
    """A solver that asks nothing: models, even the mock, fetch a tokenizer from the network."""
    from inspect_ai.solver import solver

    @solver
    def silent():
        async def solve(state, generate):
            return state

        return solve

    return silent()


def run(task, tmp_path, **options):
    (log,) = inspect_ai.eval(
        task, model="mockllm/model", log_dir=str(tmp_path), display="none", **options
    )
    assert log.status == "success", log.error
    return log


def test_the_solver(tmp_path) -> None:
    """Each epoch has other noise, and the log has what makes it again."""
    from perturb.integrations.inspect_ai import perturbed

    task = inspect_ai.Task(
        dataset=samples(), solver=[perturbed("keyboard_typos:p=0.2", seed=3), quiet()]
    )
    log = run(task, tmp_path, epochs=2)
    for sample in log.samples:
        expected = perturb.apply(
            sample.input, "keyboard_typos", p=0.2, seed=3, id=sample.id, replicate=sample.epoch - 1
        )
        assert sample.messages[0].text == expected.text != sample.input
        record = sample.metadata["perturbation"]
        assert perturb.verify({"id": expected.id, "text": expected.text, "perturbation": record})


def test_the_solver_by_its_name(tmp_path) -> None:
    """As `--solver perturb/perturbed -S steps=...` asks for it; of a checkout without `perturb/`."""
    from inspect_ai._util.registry import registry_info
    from inspect_ai.solver import SolverSpec

    from perturb.integrations.inspect_ai import perturbed

    given = {"steps": "case:style=upper,p=1.0"}
    spec = SolverSpec(registry_info(perturbed).name, given, given)
    log = run(inspect_ai.Task(dataset=samples()), tmp_path, solver=spec)
    assert [sample.messages[0].text for sample in log.samples] == [
        text.upper() for text in QUESTIONS
    ]


def test_the_data_set(tmp_path) -> None:
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser

    from perturb.integrations.inspect_ai import perturbed_dataset

    given = MemoryDataset(samples(), name="eggs")
    made = perturbed_dataset(given, "char_swap", p=0.3, seed=3, replicates=2, with_original=True)
    rows = [{"id": one.id, "text": one.input} for one in samples()]
    expected = perturb.augment(rows, "char_swap", p=0.3, seed=3, replicates=2, with_original=True)
    assert made.name == "eggs"
    assert [one.input for one in made] == [row["text"] for row in expected]
    assert len({one.id for one in made}) == 12
    assert given[0].metadata is None
    assert len(run(inspect_ai.Task(dataset=made, solver=quiet()), tmp_path).samples) == 12

    chat = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content=QUESTIONS[0])]
    (one,) = perturbed_dataset([Sample(input=chat)], "case:style=upper,p=1.0")
    assert [message.text for message in one.input] == ["Be brief.", QUESTIONS[0].upper()]
    with pytest.raises(perturb.DataError, match="the sample 1 has no message of the user"):
        perturbed_dataset([Sample(input=chat[:1])], "case")


def answers(right):
    """A solver that says the target where the function says so, and asks nothing."""
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    @solver
    def says():
        async def solve(state, generate):
            said = state.target.text if right(state) else "no idea"
            state.output = ModelOutput.from_content("mock", said)
            return state

        return solve

    return says()


@pytest.mark.parametrize("epochs", [1, 2])
def test_a_sample_that_ended_in_an_error_has_no_prediction(tmp_path, epochs) -> None:
    """It is not an empty answer, which would be a wrong one."""
    from perturb.integrations.inspect_ai import answered_rows

    def right(state):
        if state.sample_id == "q1":
            raise ConnectionError("reset")
        return True

    task = inspect_ai.Task(dataset=samples(), solver=answers(right), fail_on_error=False)
    rows = [*answered_rows(run(task, tmp_path, epochs=epochs))]
    lost = [row for row in rows if row["id"] == "q1"]
    assert len(lost) == epochs
    assert {row["prediction"] for row in lost} == {None}
    assert all("reset" in row["response"]["error"] for row in lost)
    seeds = [row["response"].get("seed") for row in lost]
    assert seeds == ([None] if epochs == 1 else [1, 2])
    assert not any("error" in row.get("response", {}) for row in rows if row not in lost)


@pytest.mark.parametrize("epochs", [1, 2])
def test_frozen_rows_are_asked_and_the_log_is_scored(tmp_path, epochs) -> None:
    """The verdict on the log is that on the rows, by the answers and by inspect's scorer."""
    import json

    from inspect_ai.dataset import FieldSpec, json_dataset
    from inspect_ai.scorer import match

    from perturb.integrations.inspect_ai import answered_rows

    rows = [{"id": f"q{at}", "question": QUESTIONS[at % 4], "answer": "7"} for at in range(30)]
    noisy = perturb.augment(rows, "char_swap", p=0.3, field="question", with_original=True)
    frozen = tmp_path / "frozen.jsonl"
    frozen.write_text("".join(json.dumps(row) + "\n" for row in noisy))

    def right(state):
        return "#" not in state.sample_id or int(state.sample_id[1:].partition("#")[0]) % 3 > 0

    fields = FieldSpec(input="question", target="answer", metadata=["perturbation"])
    dataset = json_dataset(str(frozen), fields)
    task = inspect_ai.Task(dataset=dataset, solver=answers(right), scorer=match())
    log = run(task, tmp_path, epochs=epochs)
    answered = list(answered_rows(log))
    assert list(answered_rows(log.location)) == answered
    found = perturb.robustness.score(answered).overall[0]
    assert found.comparison.rows == 30 * epochs
    assert found.difference == pytest.approx(-1 / 3)
    by_scorer = perturb.robustness.score(answered, metrics={"match": {"threshold": 0.5}})
    assert by_scorer.overall[0].difference == found.difference
