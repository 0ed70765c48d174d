"""Synonyms, antonyms, hypernyms: inflected, cased, with their articles mended."""

import sys
from functools import partial
from types import SimpleNamespace

import pytest
import regex
import taggers
from taken import some_of

import perturb
from perturb.lexicon import candidates

BAD = {
    "fox": "slyboots", "match": "lucifer", "people": "citizenry", "can": "tin",
    "it": "information technology", "a": "angstrom", "I": "iodine", "in": "inch", "be": "beryllium",
    "us": "America", "was": "Washington",
}  # fmt: skip


def every(text, name="synonym", **settings):
    """Return what can become of a text when every site is taken."""
    return some_of(name, text, count=30, **settings)


def test_a_replacement_is_inflected_and_cased_as_the_word_it_replaces() -> None:
    made = every("The children began to purchase expensive cars. KIDS OFTEN WATCHED MOVIES.")
    assert all(
        regex.search(r"The (children|kids|youngsters?|\w+s) (started|began|commenced)", one)
        for one in made
    )
    assert any("AUTOMOBILES" in one or "automobiles" in one or "FILMS" in one for one in made)
    assert not any(regex.search(r"[A-Z]{2,}[a-z]|[a-z][A-Z]", one) for one in made)


def test_articles_are_mended_as_edits_of_their_own() -> None:
    record = perturb.apply("She bought a cheap hat and an ugly car.", "antonym", p=1.0)
    assert record.text == "She sold an expensive hat and a beautiful car."
    assert record.edits == (
        (4, 10, "sold", "bought"), (12, 12, "n", ""), (13, 18, "expensive", "cheap"), (28, 29, "", "n"),
        (30, 34, "beautiful", "ugly"),
    )  # fmt: skip
    assert record.steps[0].edits == 3
    assert record.restore() == record.original


def test_a_protected_article_stays() -> None:
    record = perturb.apply("Ann has a cheap hat", "antonym", p=1.0, protect="word:a")
    assert record.text == "Ann has a expensive hat"


def test_an_article_follows_the_case() -> None:
    assert str(perturb.apply("A cheap hat", "antonym", p=1.0)) == "An expensive hat"
    assert str(perturb.apply("A CHEAP HAT", "antonym", p=1.0)) == "AN EXPENSIVE HAT"
    assert str(perturb.apply("AN EXPENSIVE HAT", "antonym", p=1.0)) == "A CHEAP HAT"


@pytest.mark.parametrize("word", BAD)
def test_known_bad_replacements_do_not_happen(word) -> None:
    for frame in (
        "The {} is here.",
        "I saw {} there.",
        "They {} it.",
        "{} is what we had in mind.",
    ):
        text = frame.format(word)
        assert not any(BAD[word].lower() in one.lower() for one in every(text)), text


def test_function_words_names_and_numbers_are_left_alone() -> None:
    text = "It was in 1999 that Rose and Mark were with us at the Big Bank of Reading, or so I can say."
    left = regex.compile(r"\b(?:It|was|in|1999|Rose|Mark|were|with|us|at|the|of|or|I|can)\b")
    for one in every(text) | every(text, profile="all"):
        assert left.findall(one) == left.findall(text)


@pytest.mark.slow
def test_several_words_only_when_asked_for() -> None:
    text = "They abandon the car quickly and remain here."
    assert not any(
        "_" in one or len(one.split()) > len(text.split()) for one in every(text, profile="all")
    )
    assert any(
        len(one.split()) > len(text.split()) for one in every(text, profile="all", multiword=True)
    )


def test_other_scripts_have_no_site() -> None:
    for text in ("Быстрая лиса", "敏捷的狐狸", "الثعلب السريع", "नमस्ते दुनिया"):
        assert perturb.apply(text, "synonym", p=1.0).status == "no site"


def test_a_tagger_decides_the_part_of_speech() -> None:
    text = "They purchase a film"
    verb = perturb.apply(
        text, perturb.steps.synonym(p=1.0, profile="all", tagger=taggers.present_verbs)
    )
    assert [text[e.start : e.end] for e in verb.edits] == ["purchase"]
    assert verb.steps[0].spec == "synonym:p=1.0,profile=all,tagger=taggers:present_verbs"
    assert perturb.verify(verb, trust=["taggers:present_verbs"])
    nouns = perturb.apply(
        text, perturb.steps.synonym(p=1.0, profile="all", tagger="taggers:all_nouns")
    )
    assert {text[e.start : e.end] for e in nouns.edits} >= {"film"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tagger": "taggers:too_few"}, "gave 2 tags for 3 words"),
        ({"tagger": "taggers:none"}, "can't import the tagger 'taggers:none'"),
        ({"tagger": "nowhere:none"}, "can't import the tagger"),
        ({"tagger": lambda words: words}, "can't be imported by name"),
        ({"tagger": partial(sorted)}, "can't be imported by name"),
        ({"lexicon": "nltk"}, "lexicon is 'wordnet', or 'nltk:LANGUAGE'"),
        ({"lexicon": "other:fra"}, "lexicon is 'wordnet', or 'nltk:LANGUAGE'"),
    ],
)
def test_what_is_wrong_is_said(settings, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        perturb.apply("a big house", perturb.steps.synonym(p=1.0, **settings))


class FakeWordNet:
    """As much of nltk's reader as is used."""

    def __init__(self, missing=False) -> None:
        self.missing = missing

    def langs(self):
        if self.missing:
            raise LookupError
        return ["eng", "fra"]

    def synsets(self, word, lang):
        names = {"chien": [["chien", "toutou", "canis_familiaris"], ["clébard"]]}.get(word, [])
        return [
            SimpleNamespace(lemma_names=lambda lang, n=n: n if lang == "fra" else []) for n in names
        ]


@pytest.fixture
def nltk(monkeypatch):
    def put(wordnet):
        candidates._wordnet.cache_clear()
        candidates.related_words.cache_clear()
        corpus = SimpleNamespace(wordnet=wordnet)
        monkeypatch.setitem(sys.modules, "nltk", SimpleNamespace(corpus=corpus))
        monkeypatch.setitem(sys.modules, "nltk.corpus", corpus)

    yield put
    candidates._wordnet.cache_clear()
    candidates.related_words.cache_clear()


def test_any_wordnet_of_nltk(nltk) -> None:
    nltk(FakeWordNet())
    settings = {"p": 1.0, "lexicon": "nltk:fra"}
    assert (
        str(perturb.apply("Le Chien dort.", perturb.steps.synonym(**settings))) == "Le Toutou dort."
    )
    found = {
        str(perturb.apply("chien", perturb.steps.synonym(profile="all", **settings), seed=s))
        for s in range(20)
    }
    assert found == {"toutou", "clébard"}
    with pytest.raises(perturb.UsageError, match="no language 'xyz'; it has eng, fra"):
        perturb.apply("chien", perturb.steps.synonym(lexicon="nltk:xyz"))


@pytest.fixture
def real_wordnet():
    """The WordNet of nltk that is on this machine."""
    reader = pytest.importorskip("nltk.corpus", reason="nltk is not installed").wordnet
    try:
        reader.ensure_loaded()
    except LookupError:
        pytest.skip(
            "nltk has no WordNet here; benchmarks/setup_peers.py fetches one for "
            "NLTK_DATA=benchmarks/.envs/nltk_data"
        )


@pytest.mark.usefixtures("real_wordnet")
@pytest.mark.slow
def test_the_english_wordnet_of_nltk() -> None:
    settings = {"p": 1.0, "lexicon": "nltk:eng"}
    record = perturb.apply("I can see a big  car in the USA.", perturb.steps.synonym(**settings))
    assert regex.fullmatch(
        r"I can \w+ a large  (auto|machine|motorcar|automobile) in the \S+", record.text
    )
    assert perturb.verify(record)
    assert str(perturb.apply("a CHEAP Car", perturb.steps.antonym(**settings))) == "a EXPENSIVE Car"
    assert str(perturb.apply("Dog", perturb.steps.hypernym(**settings))) in ("Canine", "Canid")
    assert "iodine" not in every("I", lexicon="nltk:eng", profile="all")
    with pytest.raises(perturb.UsageError, match=r"no language 'xyz'.*nltk\.downloader omw-1\.4"):
        perturb.apply("chien", perturb.steps.synonym(lexicon="nltk:xyz"))


def test_no_wordnet_says_how_to_get_one(nltk, monkeypatch) -> None:
    nltk(FakeWordNet(missing=True))
    with pytest.raises(perturb.UsageError, match=r"python -m nltk\.downloader wordnet"):
        perturb.apply("chien", perturb.steps.synonym(lexicon="nltk:fra"))
    candidates._wordnet.cache_clear()
    monkeypatch.setitem(sys.modules, "nltk.corpus", None)
    with pytest.raises(perturb.UsageError, match="pip install nltk"):
        perturb.apply("chien", perturb.steps.synonym(lexicon="nltk:fra"))
