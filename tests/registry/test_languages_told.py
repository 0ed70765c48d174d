"""What is told of languages and scripts is what happens to sentences in them."""

import json
from collections import defaultdict
from importlib.util import find_spec

import pytest

import perturb
from perturb.registry.definition import scripts_of_languages
from perturb.resources import read_rows
from tests.cases import CASES

# Articles of the Universal Declaration of Human Rights in twenty languages.
SENTENCES = defaultdict(list)
for _code, _text in read_rows("languages", "declaration.tsv"):
    SENTENCES[_code].append(_text)
# Forms that some steps need, without a letter of any script.
FORM = (
    '{0} {1} {2}\n\n{0}\n\n{1}\n\n{2}\n\n1) {0}\n2) {1}\n3) {2}\n\n- {0}\n- “{1}” & "{2}" -- … 5 €?'
    '\n[{{"name": "get_it", "input_schema": {{}}}}]'
)
# Sentences that have what the articles lack, by step and language.
OTHERS = {
    ("contraction", "en"): "I do not know why it is late.",
    ("contraction", "de"): "Sie sind in dem Haus.",
    ("contraction", "fr"): "Tu as raison.",
    ("contraction", "it"): "Anche io so dove è andato.",
    ("contraction", "nl"): "Ik zie het huis.",
    ("contraction", "pt"): "Foi em um dia de sol.",
    ("strip_diacritics", "en"): "She had a crème brûlée.",
    ("strip_diacritics", "nl"): "Er is er maar één.",
    ("strip_diacritics", "id"): "Kafé itu buka.",
}
# Ways to call steps that tests/cases.py does not have.
SCRIPTS = "devanagari thai hiragana katakana"
WAYS = {
    "strip_diacritics": [f"script={script}" for script in SCRIPTS.split()],
    "contraction": ["informal=true"],
}
# Strings and shares of the caller's may take a step to letters of which it knows nothing.
OF_CALLERS = ("alphabet=", "substitute=0", "language=")
UNSEGMENTED = {"th", "zh", "ja"}
IS_SEGMENTED = find_spec("budoux") is not None
SEGMENTERS = ("", "budoux") if IS_SEGMENTED else ("",)


def ways(name):
    """The ways to call a step by values that it names, none of them a language."""
    specs = {case.spec for case in CASES if case.spec.partition(":")[0] == name}
    specs |= {name, *(f"{name}:{way}" for way in WAYS.get(name, ()))}
    return {spec for spec in specs if not any(word in spec for word in OF_CALLERS)}


def is_changed(texts, spec, **settings):
    """Whether a way to call a step changes one of the texts, as they are or in segments."""
    steps = (perturb.Pipeline.of(spec, p=1.0, segmenter=one, **settings) for one in SEGMENTERS)
    return any(one.status == "changed" for step in steps for one in perturb.apply(texts, step))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*perturb.names()} - {"identity", "paraphrase"}))
def test_a_step_writes_the_languages_that_it_lists(name):
    """Bound to letters, it changes sentences as they are; others change some form of them.

    What paraphrase writes is in a caller's table.
    """
    facts = perturb.describe(name)
    listed = {language for language in SENTENCES if name in perturb.names(language=language)}
    if facts["languages"] == ["en"]:
        assert listed == {"en"}
        return
    changed = set()
    for language, sentences in SENTENCES.items():
        texts = [*sentences, OTHERS.get((name, language), sentences[0])]
        if facts["languages"] == facts["scripts"] == ["any"]:
            said = zip(("user", "assistant") * 3, (*sentences, *sentences[::-1]), strict=False)
            talk = [{"role": role, "content": text} for role, text in said]
            texts += [FORM.format(*sentences), *map(json.dumps, (sentences, talk[:5]))]
        is_told = "language" in facts["parameters"] and language in facts["languages"]
        told = {"language": language} if is_told else {}
        if any(is_changed(texts, spec, **told) for spec in ways(name)):
            changed.add(language)
    if not IS_SEGMENTED:
        changed, listed = changed - UNSEGMENTED, listed - UNSEGMENTED
    assert changed == listed


def test_a_language_has_scripts() -> None:
    assert scripts_of_languages()["sr"] == {"cyrillic", "latin"}
    assert "keyboard_typos" in perturb.names(language="sr")
    assert "keyboard_typos" not in perturb.names(language="ja")
