"""Texts that are evidently not English are recognised, and English ones are left alone."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from perturb.engine.batch import Batch
from perturb.lexicon.english import is_foreign
from perturb.resources import parse

TEXTS = parse(Path(__file__).with_name("languages.tsv"))
HELD_OUT = parse(Path(__file__).with_name("declaration.tsv"))
LATIN = ("de", "fr", "es", "it", "pt", "nl", "sv", "pl", "tr", "vi", "id", "ro")
OTHERS = ("ru", "ar", "hi", "zh", "ja")
# Has more French words than English ones.
REFUSED_ENGLISH = ['Conjugate the verb "être": je suis, tu es, il est.']


def refused(texts):
    return is_foreign(Batch.of(texts)).tolist()


def texts_in(language, fewest=1, most=10**6):
    return [t for code, t in TEXTS if code == language and fewest <= len(t.split()) <= most]


def test_the_table_has_what_is_measured() -> None:
    """At least 60 texts in English, 20 in each other language of Latin script, 3 in the rest."""
    counts = defaultdict(int)
    for language, _ in TEXTS:
        counts[language] += 1
    assert set(counts) == {"en", *LATIN, *OTHERS}
    assert counts["en"] >= 60
    assert min(counts[language] for language in LATIN) >= 20
    assert min(counts[language] for language in OTHERS) >= 3


def test_no_english_is_refused_but_what_quotes_at_length() -> None:
    texts = texts_in("en")
    assert [t for t, no in zip(texts, refused(texts), strict=True) if no] == REFUSED_ENGLISH


def test_short_english_is_never_refused() -> None:
    """Up to five words, as they are, in capitals, in lower case and with capitals throughout."""
    texts = texts_in("en", most=5)
    assert len(texts) > 30
    for written in (str, str.upper, str.lower, str.title):
        forms = [written(text) for text in texts]
        assert [t for t, no in zip(forms, refused(forms), strict=True) if no] == []


@pytest.mark.parametrize("language", LATIN)
def test_foreign_sentences_are_refused(language) -> None:
    """Of six words and more: 85 % in each language, the lowest being 12 of 14 (it)."""
    answers = refused(texts_in(language, fewest=6))
    assert len(answers) >= 10
    assert np.mean(answers) >= 0.85


def test_nearly_all_foreign_sentences_are_refused() -> None:
    """Over all languages of Latin script; it was 161 of 166."""
    answers = [no for language in LATIN for no in refused(texts_in(language, fewest=6))]
    assert len(answers) > 150
    assert np.mean(answers) >= 0.96


@pytest.mark.parametrize("language", LATIN)
def test_held_out_sentences_are_refused(language) -> None:
    """Of the Universal Declaration of Human Rights: the lowest was 49 of 50 (pt)."""
    answers = refused([text for code, text in HELD_OUT if code == language])
    assert len(answers) >= 30
    assert np.mean(answers) >= 0.97


def test_no_held_out_english_is_refused() -> None:
    texts = [text for code, text in HELD_OUT if code == "en"]
    assert len(texts) >= 40
    assert not any(refused(texts))


@pytest.mark.parametrize("language", OTHERS)
def test_other_scripts_are_no_evidence(language) -> None:
    """Their letters are closed anyway; a table of Latin words says nothing of them."""
    assert not any(refused(texts_in(language)))


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Waarom is de lucht blauw?", True),
        ("IL GOVERNO ANNUNCIA UN TAGLIO DELLE TASSE", True),
        ("STOP PRESS: MAYOR RESIGNS AFTER FRAUD INQUIRY AT EL PASO", False),
        ("Sandi harus terdiri dari huruf dan angka saja", True),
        ("xylq vrrt brnk fnord glarb quux zzyx", False),
        ("¿Cuándo sale el próximo tren?", True),
        ("Los Angeles, Las Vegas, El Paso", False),
        ("Van der Waals", False),
        ("men dig gold mines", False),
        ("son sells van, man bites dog", False),
        ("", False),
        ("42", False),
    ],
)
def test_names_and_words_of_two_languages_are_no_evidence(text, foreign) -> None:
    """A long word with a capital that a text begins with is no name, and counts."""
    assert refused([text]) == [foreign]


@pytest.mark.slow
def test_a_text_is_judged_by_itself() -> None:
    """Whatever stands beside it in the batch, in narrow and in wide code points."""
    texts = [text for _, text in TEXTS]
    alone = [refused([text])[0] for text in texts]
    assert refused(texts) == alone
    assert refused(texts[::-1]) == alone[::-1]
    assert refused([*texts, "", "😀"]) == [*alone, False, False]
