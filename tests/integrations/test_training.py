"""Training: other noise each epoch in PyTorch's DataLoader, and a step of scikit-learn's pipelines."""

import pickle
import re

import pytest
from processes import serve, texts

import perturb
from perturb.errors import DataError
from perturb.integrations.torch import Collate

ROWS = [{"id": number, "text": f"How many eggs are in basket {number}?"} for number in range(12)]
NOISY = perturb.Transform("char_swap", p=0.3, seed=3)


def expected(rows, epoch=0):
    """As `augment` has them; later epochs are later replicates."""
    made = perturb.augment(rows, "char_swap", 0.3, seed=3, replicates=epoch + 1)
    return [row["text"] for row in made][epoch :: epoch + 1]


def test_the_epoch_decides() -> None:
    collate = Collate(NOISY, texts)
    first = collate(ROWS)
    assert first == expected(ROWS)
    assert collate(ROWS[::-1]) == first[::-1]
    collate.set_epoch(1)
    second = collate(ROWS)
    assert second == expected(ROWS, 1)
    assert sum(a != b for a, b in zip(first, second, strict=True)) > 6
    collate.set_epoch(0)
    assert collate(ROWS) == first


def test_a_row_that_is_drawn_twice() -> None:
    """As samplers with replacement do."""
    made = Collate(NOISY, texts)([ROWS[0], ROWS[1], ROWS[0]])
    assert made[0] == made[2] == expected(ROWS[:1])[0]


def test_records_stay_where_they_are_asked_for() -> None:
    (row,) = Collate(NOISY, list, keep_record=True)(ROWS[:1])
    assert perturb.verify(row)
    (row,) = Collate(NOISY, list)(ROWS[:1])
    assert sorted(row) == ["id", "text"]


def test_an_epoch_is_a_number() -> None:
    with pytest.raises(perturb.UsageError, match="an epoch is a whole number"):
        Collate(NOISY, texts).set_epoch(-1)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("workers", [0, 2])
def test_data_loader(workers) -> None:
    """The same batches for any number of workers, which live on and hear of the epoch."""
    data = pytest.importorskip("torch.utils.data")
    collate = Collate(NOISY)
    loader = data.DataLoader(
        ROWS, batch_size=5, collate_fn=collate, num_workers=workers, persistent_workers=workers > 0
    )
    for epoch in (0, 1, 2, 0):
        collate.set_epoch(epoch)
        made = [batch["text"] for batch in loader]
        assert [text for batch in made for text in batch] == expected(ROWS, epoch)


@pytest.mark.slow
def test_a_process_that_starts_anew() -> None:
    """As workers do where processes are not forked: memory is handed over, not copied."""
    multiprocessing = pytest.importorskip("multiprocessing").get_context("spawn")
    collate = Collate(NOISY, texts)
    collate.set_epoch(2)
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(collate, theirs))
    process.start()
    theirs.close()  # so that it is told here if the process ends
    try:
        for epoch in (2, 1):
            collate.set_epoch(epoch)
            ours.send(ROWS)
            assert ours.recv() == expected(ROWS, epoch)
    finally:
        ours.send(None)
        process.join()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_scikit_learn() -> None:
    """A step that is cloned, set and searched; noise for fitting, for predicting, or both."""
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    from perturb.integrations.sklearn import TextPerturber

    good, bad = "a fine and lovely day", "a poor and gloomy night"
    questions = [f"{text} {number}" for number in range(10) for text in (good, bad)]
    y = [0, 1] * 10
    step = clone(TextPerturber("char_delete", p=0.1, seed=5, when="fit"))
    noisy = [record.text for record in perturb.apply(questions, "char_delete", p=0.1, seed=5)]
    assert step.fit_transform(questions) == noisy
    assert step.transform(questions) == questions
    assert step.set_params(when="predict").fit_transform(questions) == questions
    assert step.transform(questions) == noisy
    assert pickle.loads(pickle.dumps(step)).transform(questions[:3]) == noisy[:3]
    search = GridSearchCV(
        make_pipeline(TextPerturber(when="predict"), CountVectorizer(), LogisticRegression()),
        {"textperturber__p": [0.0, 1.0], "textperturber__steps": ["char_delete", "identity"]},
        cv=2,
    ).fit(questions, y)
    scores = dict(
        zip(
            map(str, search.cv_results_["params"]),
            search.cv_results_["mean_test_score"],
            strict=True,
        )
    )
    ruined = [score for name, score in scores.items() if "1.0" in name and "delete" in name]
    assert ruined == [0.5]
    assert sorted(scores.values())[1:] == [1.0] * 3
    with pytest.raises(ValueError, match="when must be"):
        TextPerturber(when="never").fit(questions)


def test_a_table_is_no_texts_for_scikit_learn() -> None:
    """The names of its columns, which are what iterating over it gives, are never perturbed."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    from perturb.integrations.sklearn import TextPerturber

    with pytest.raises(TypeError, match="got a DataFrame"):
        TextPerturber("case").fit_transform(pandas.DataFrame({"text": ["a fine day"]}))


@pytest.mark.parametrize(
    ("row", "advice"),
    [
        (("How many eggs?", 1), "collate([{'text': row[0], 'label': row[1]} for row in rows])"),
        ("How many eggs?", "collate([{'text': row} for row in rows])"),
    ],
)
def test_rows_that_are_no_mappings_are_refused_with_what_to_write(row, advice) -> None:
    collate = Collate(NOISY, texts)
    with pytest.raises(DataError, match=re.escape(advice)):
        collate([row])
