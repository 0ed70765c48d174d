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
