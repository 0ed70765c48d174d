"""Perturbators go to other processes with whatever pickles functions by value there."""

import os
import pickle
import subprocess
import sys

import pytest

import perturb
from perturb.registry import registry

MAKE = """
@perturb.perturbator("made_d", unit="word", summary="Shout.", label_risk="low")
def made_d(word: str) -> str:
    return word.upper()
made = [
    perturb.from_regex("made_r", "[aeiou]", lambda match, rng: "*"),
    perturb.from_function("made_f", lambda text: text.replace("a", "*")),
    made_d,
]
"""
LIBRARIES = ("cloudpickle", "ray.cloudpickle", "pyspark.cloudpickle", "dill")


@pytest.mark.slow
@pytest.mark.parametrize("library", LIBRARIES)
def test_each_library_brings_its_own(tmp_path, library):
    """Of all of them one is there, as after `pip install ray` and nothing else."""
    pytest.importorskip(library)
    out = tmp_path / "sent"
    others = {one: None for one in LIBRARIES if one != library}
    common = f"import pickle, sys, perturb\nsys.modules.update({others})\nimport {library}\n"
    send = MAKE + "t = [perturb.Transform(one, p=1.0) for one in made]\n"
    send += f"open({str(out)!r}, 'wb').write(pickle.dumps(t))\n"
    get = f"for t in pickle.load(open({str(out)!r}, 'rb')):\n"
    get += "    print(t([{'text': 'a cat'}])[0]['text'])\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for code, printed in ((send, ""), (get, "* c*t\n* c*t\nA CAT\n")):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", common + code],
            capture_output=True,
            text=True,
            env=environment,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == printed


def test_without_any_it_is_said_what_to_install(monkeypatch):
    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)
    alone = perturb.from_regex("made_alone", "a", lambda match, rng: "b")
    with pytest.raises(perturb.UsageError, match=r"can't send .*'made_alone' .* cloudpickle"):
        pickle.dumps(alone)
    before = registry.snapshot()
    try:
        perturb.register(alone)
        assert pickle.loads(pickle.dumps(alone)) is alone  # it is known where it arrives
    finally:
        registry.restore(before)
