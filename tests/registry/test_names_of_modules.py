"""The table of built-in perturbators is what their modules register; one name loads one module."""

import subprocess
import sys
from pathlib import Path

import pytest

import perturb
from perturb import perturbators
from perturb.registry import registry
from perturb.registry.definition import scripts_of_languages
from perturb.registry.registry import MODULE_OF


def registered():
    """Each name and alias of a built-in perturbator with its module."""
    names = {name: name for name in perturb.names()}
    names |= {alias: name for alias, (name, _) in registry.aliases().items()}
    homes = {name: registry.lookup(own).find.__module__ for name, own in names.items()}
    return {
        name: home.removeprefix("perturb.perturbators.")
        for name, home in homes.items()
        if home.startswith("perturb.perturbators.")
    }


def test_the_table_is_what_the_modules_register() -> None:
    """If it is not: python scripts/refresh.py NAME."""
    folder = Path(perturbators.__file__).parent
    modules = {f"{file.parent.name}.{file.stem}" for file in folder.glob("[!_]*/[!_]*.py")}
    assert set(MODULE_OF.values()) == {name for name in modules if not name.startswith("shared.")}
    assert dict(MODULE_OF) == registered()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "module"), [("ocr", "machines.fitted"), ("qwerty", "letters.keyboard")]
)
def test_only_the_module_of_the_name_is_loaded(name, module) -> None:
    program = (
        "import sys, perturb\n"
        f"perturb.apply('a text', {name!r})\n"
        "print(*(m for m in sys.modules if m.startswith('perturb.perturbators.')"
        " and m.count('.') > 2 and '.shared.' not in m))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"perturb.perturbators.{module}" in done.stdout.split(), done.stderr
    assert len(done.stdout.split()) <= 2


@pytest.mark.slow
def test_a_name_that_is_not_loaded_yet_is_taken() -> None:
    program = (
        "import perturb\n"
        "try: perturb.register(perturb.from_regex('ocr', 'a', 'b'))\n"
        "except perturb.UsageError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "perturb.perturbators.machines.fitted" in done.stdout, done.stderr


def test_names_are_filtered() -> None:
    """Against a slow reference over `describe`."""
    risks = ("none", "low", "medium", "high")
    for language, most, keeps in (
        ("de", "low", "digits"),
        ("en", "high", "case"),
        ("ja", "none", "order"),
    ):
        wanted = [
            name
            for name in perturb.names()
            for said in [perturb.describe(name)]
            if language in said["languages"] or "any" in said["languages"]
            if {"any", *scripts_of_languages()[language]} & {*said["scripts"]}
            if risks.index(said["label_risk"]) <= risks.index(most) and keeps not in said["touches"]
        ]
        assert perturb.names(language=language, max_risk=most, keeps=keeps) == wanted
    assert perturb.names(keeps=("digits", "case")) == sorted(
        {*perturb.names(keeps="digits")} & {*perturb.names(keeps="case")}
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"language": "german"}, "'german' isn't an ISO 639-1 language code"),
        ({"max_risk": "grave"}, "max_risk must be one of none, low, medium, high; got 'grave'"),
        ({"keeps": "numbers"}, "keeps must be one of digits"),
    ],
)
def test_a_wrong_filter_is_refused(given, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        perturb.names(**given)


def test_one_that_is_declared_and_not_listed_names_the_script(tmp_path, monkeypatch) -> None:
    (tmp_path / "perturbators" / "letters").mkdir(parents=True)
    module = tmp_path / "perturbators" / "letters" / "vowels.py"
    module.write_text('@letter_perturbator(\n    "vowel_drop",\n)\ndef vowel_drop(batch): ...\n')
    monkeypatch.setattr(registry, "folder", lambda: tmp_path)
    with pytest.raises(perturb.UsageError) as error:
        perturb.apply("a text", "vowel_drop")
    assert str(error.value) == (
        "unknown perturbator 'vowel_drop': letters/vowels.py declares it; "
        "to list it, run python scripts/refresh.py vowel_drop"
    )
    with pytest.raises(perturb.UsageError, match="perturb list shows all"):
        perturb.apply("a text", "consonant_drop")
