"""Nothing that a table of words can write is on the list of taboo words."""

import pytest
from spelled import spell

from perturb.lexicon.candidates import candidates
from perturb.perturbators.words import substitutions
from perturb.resources import read_rows

TABOO = {row[0] for row in read_rows("english", "taboo.tsv")}


@pytest.mark.parametrize("profile", ["common", "all"])
@pytest.mark.parametrize("relation", ["synonyms", "antonyms", "hypernyms"])
def test_no_related_word_is_taboo(relation, profile) -> None:
    targets = set(candidates(relation, profile, multiword=True).targets.tolist())
    assert not TABOO & {spell(target) for target in targets}


@pytest.mark.parametrize(
    "table",
    [
        lambda: substitutions.homophones("common"),
        lambda: substitutions.homophones("all"),
        lambda: substitutions._misspellings(rules=True),
        lambda: substitutions._variants("both"),
        lambda: substitutions._abbreviations("shorten", "any", digits=True),
        lambda: substitutions._abbreviations("expand", "any", digits=True),
        lambda: substitutions._contractions("both", informal=True)[0][0],
    ],
    ids=[
        "homophone",
        "homophone all",
        "misspelling",
        "spelling_variant",
        "shorten",
        "expand",
        "contraction",
    ],
)
def test_no_table_writes_a_taboo_word(table) -> None:
    written = table()._options[1].to_list()
    assert len(written) > 50
    assert not TABOO & {word.strip(".,!") for option in written for word in option.lower().split()}


@pytest.mark.parametrize(
    ("folder", "table"),
    [
        ("english", "distractors.tsv"),
        ("english", "entities.tsv"),
        ("english", "first_names.tsv"),
        ("english", "gender_words.tsv"),
        ("english", "instruction_styles.tsv"),
        ("english", "prepositions.tsv"),
        ("languages", "code_switch.tsv"),
        ("languages", "contractions.tsv"),
        ("languages", "fillers.tsv"),
        ("languages", "homophones.tsv"),
    ],
)
def test_no_table_of_what_is_written_has_a_taboo_word(folder, table) -> None:
    rows = read_rows(folder, table)
    assert len(rows) > 20
    words = {word.strip(".,!?") for row in rows for cell in row for word in cell.lower().split()}
    assert not TABOO & words
