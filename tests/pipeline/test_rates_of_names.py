"""Names of other libraries: each makes as many edits as the original does by its own rule."""

import re

import pytest
from lines import EXAMPLES, rows_in

import perturb
from perturb import Pipeline


def letters(text):
    return len(re.findall("[A-Za-z]", text))


def words(text):
    return len(text.split())


def gaps(text):
    return len(re.findall(" +", text))


def marks(text):
    return 0.1 * text.count(" ") + 0.05 * len(re.sub(r"\s", "", text))


# Of the keys that the originals draw from, how many there are for each letter; one is the letter.
KEYS = dict(zip("qwertyuiopasdfghjklzxcvbnm", map(int, """
    8 10 14 13 14 13 13 12 8 7 10 8 10 11 11 11 11 8 8 7 12 12 12 11 11 8""".split()), strict=True))  # fmt: skip


def other_keys(text):
    return sum(1 - 1 / KEYS[letter] for letter in text.lower() if letter in KEYS)


# How many edits an original makes in a text on average, by its own rule.
EXPECTED = {
    "helm.typos": lambda text: 0.05 * letters(text),
    "helm.typo_easy": lambda text: 0.1 * letters(text),
    "helm.typo_medium": lambda text: 0.3 * letters(text),
    "helm.typo_hard": lambda text: 0.5 * letters(text),
    "helm.extra_space": lambda text: text.count(" "),
    "helm.filler_words": lambda text: words(text) / 3,
    "weave.butterfingers": lambda text: 1,
    "weave.swap_chars": lambda text: 1,
    "weave.text_noise": lambda text: 1,
    "weave.emphasize_words": lambda text: 1,
    "weave.add_whitespace": gaps,
    "weave.random_capitalization": lambda text: letters(text) / 2,
    "langtest.add_typo": lambda text: 1,
    "nlaugmenter.butter_fingers_perturbation": lambda text: 0.06 * other_keys(text),
    "nlaugmenter.butter_finger": lambda text: 0.06 * other_keys(text),
    "nlaugmenter.change_char_case": lambda text: 0.1 * letters(text),
    "nlaugmenter.whitespace_perturbation": marks,
    "nlaugmenter.filler_word_augmentation": lambda text: words(text) / 6,
    "nlaugmenter.random_deletion": lambda text: words(text) / 4,
}
# The share of the words below that HELM 0.5.16 has in its list of misspellings.
LISTED = 0.285
# The share of the words below that change by what has a list of its own: what LangTest 2.7.0 made
# of them by its defaults, which hits wrong places too, and what HELM's probability comes to.
WORDS = {
    "langtest.add_ocr_typo": 0.393,
    "langtest.add_abbreviation": 0.2,
    "langtest.add_speech_to_text_typo": 0.04,
    "helm.misspellings": 0.1 * LISTED,
    "helm.misspelling_mild": 0.05 * LISTED,
    "helm.misspelling_medium": 0.2 * LISTED,
    "helm.misspelling_hard": 0.5 * LISTED,
}
# Those that take some of the places that they know, and how many of them.
OF_PLACES = {
    "helm.synonym": 0.5,
    "helm.dialect_easy": 0.1,
    "helm.dialect_medium": 0.3,
    "helm.dialect_hard": 0.5,
    "nlaugmenter.close_homophones_swap": 0.5,
}
ASCII = [
    row["question"]
    for row in rows_in(EXAMPLES)
    if row["question"].isascii() and len(row["question"].split()) >= 5
]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_name_makes_as_many_edits_as_the_original(name) -> None:
    """Within 3 %, over questions in English, five times each; their numbers are rounded at random.

    That is five standard deviations for the name with the fewest edits, of more than 10,000.
    """
    made = perturb.apply(ASCII * 5, name, id=list(range(5 * len(ASCII))))
    got, wanted = sum(one.steps[0].edits for one in made), 5 * sum(map(EXPECTED[name], ASCII))
    # To HELM what stands between blanks is a word, also a sign; and five words in a row may lack
    # places, so that a third is more than there are.
    tolerance = 0.06 if name == "helm.filler_words" else 0.03
    assert abs(got / wanted - 1) < tolerance, (name, got / wanted)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_a_name_changes_as_many_words_as_the_original(name) -> None:
    """Within 12 %: which words the lists have differs from text to text, by some 8 %."""
    made = perturb.apply(ASCII * 20, name, id=list(range(20 * len(ASCII))))
    changed = sum(
        any(edit.start <= word.end() and edit.end >= word.start() for edit in one.edits)
        for one in made
        for word in re.finditer(r"\S+", one.original)
    )
    share = changed / sum(words(one.original) for one in made)
    assert abs(share / WORDS[name] - 1) < 0.12, (name, share)


@pytest.mark.parametrize("name", OF_PLACES)
def test_a_name_takes_as_many_of_its_places_as_the_original(name) -> None:
    steps = Pipeline.of(name).steps
    assert [(one.p, one.per, one.count) for one in steps] == [(OF_PLACES[name], "unit", None)]
    ids = list(range(5 * len(ASCII)))
    made = perturb.apply(ASCII * 5, name, id=ids)
    places = sum(one.sites for one in made)
    got = sum(one.steps[0].edits for one in made)
    assert abs(got - OF_PLACES[name] * places) <= 2.5 * len(ids) ** 0.5


def test_as_many_spaces_as_helm_adds() -> None:
    """One to three for each, so that one more is added on average.

    Each gap adds 0, 1 or 2, with a standard deviation of 0.82: five of them of the sum.
    """
    made = perturb.apply([text for text in ASCII if "  " not in text], "helm.space")
    added = sum(len(one.text) - len(one.original) for one in made)
    wanted = sum(gaps(one.original) for one in made)
    assert abs(added - wanted) < 5 * 0.82 * wanted**0.5
    longest = {len(run) for one in made for run in re.findall(" +", one.text)}
    assert longest == {1, 2, 3}
