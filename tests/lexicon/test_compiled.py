import os
import subprocess
import sys

import numpy as np
import pytest
from lexicon_arrays.compile import compile_arrays
from lexicon_arrays.forms import forms
from lexicon_arrays.inflect import inflect

from perturb import resources
from perturb.lexicon.store import load, relation
from perturb.resources import TableError


@pytest.mark.usefixtures("only_in_full")
def test_committed_arrays_equal_a_rebuild():
    with np.load(resources.path("english", "lexicon.npz")) as stored:
        committed = dict(stored)
    built = compile_arrays()
    assert committed.keys() == built.keys()
    for name, array in built.items():
        assert committed[name].dtype == array.dtype, name
        assert np.array_equal(committed[name], array), name


@pytest.fixture
def damaged(tmp_path, monkeypatch):
    """The compiled lexicon as some other bytes."""

    def put(data):
        (tmp_path / "lexicon.npz").write_bytes(data)
        monkeypatch.setattr("perturb.lexicon.store.path", lambda *parts: tmp_path / parts[-1])
        load.cache_clear()

    yield put
    load.cache_clear()


@pytest.mark.parametrize("data", [b"", b"nothing of the kind", b"PK\x03\x04 cut off"])
def test_damaged_arrays_are_refused(damaged, data):
    damaged(data)
    with pytest.raises(TableError, match=r"lexicon\.npz is damaged: reinstall perturb"):
        load()


@pytest.mark.slow
def test_changed_byte_is_refused(damaged):
    data = bytearray(resources.path("english", "lexicon.npz").read_bytes())
    data[len(data) // 3] ^= 1
    damaged(bytes(data))
    with pytest.raises(TableError, match="damaged"):
        load()


def test_missing_array_is_refused(damaged, tmp_path):
    np.savez(tmp_path / "other.npz", codes=np.zeros(1))
    damaged((tmp_path / "other.npz").read_bytes())
    with pytest.raises(TableError, match="damaged"):
        load()


def test_damaged_relation_is_refused(damaged):
    damaged(b"")
    with pytest.raises(TableError, match="damaged"):
        relation.__wrapped__("synonyms")


@pytest.mark.slow
def test_neither_nltk_nor_the_compiler_is_imported():
    code = (
        "import sys; from perturb.lexicon.candidates import candidates; candidates('synonyms');"
        "print([m for m in sys.modules if m.startswith(('nltk', 'lexicon_arrays.compile'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("lemma", "tag", "form"),
    [("box", "NNS", "boxes"), ("city", "NNS", "cities"), ("day", "NNS", "days"),
     ("stop", "VBD", "stopped"), ("play", "VBD", "played"), ("try", "VBZ", "tries"),
     ("quiz", "VBG", "quizzing"), ("lie", "VBG", "lying"), ("see", "VBG", "seeing"),
     ("make", "VBG", "making"), ("big", "JJS", "biggest"), ("happy", "JJR", "happier"),
     ("large", "JJR", "larger"), ("fix", "VBD", "fixed"), ("open", "VBG", "opening")],
)  # fmt: skip
def test_suffix_rules(lemma, tag, form):
    assert inflect(lemma, tag) == form


@pytest.mark.parametrize(
    ("pos", "name", "expected"),
    [(0, "child", ["child", "children"]), (0, "mouse", ["mouse", "mice"]),
     (0, "furniture", ["furniture", None]), (0, "sheep", ["sheep", "sheep"]),
     (0, "man of war", ["man of war", "men of war"]), (0, "hot dog", ["hot dog", "hot dogs"]),
     (1, "go", ["go", "goes", "went", "gone", "going"]),
     (1, "give up", ["give up", "gives up", "gave up", "given up", "giving up"]),
     (2, "good", ["good", "better", "best"]), (2, "beautiful", ["beautiful", None, None]),
     (3, "well", ["well", "better", "best"]), (3, "quickly", ["quickly", None, None])],
)  # fmt: skip
def test_forms(pos, name, expected):
    rows = resources.read_rows("english", "inflections.tsv")
    assert forms(pos, name, {(word, tag): form for word, tag, form in rows}) == expected
