from collections import defaultdict

import numpy as np
import pytest
from lexicon_arrays import pairs
from lexicon_arrays.compile import read_facts
from lexicon_arrays.forms import forms
from spelled import lookup, spell

from perturb.lexicon.candidates import candidates, rows
from perturb.lexicon.store import load
from perturb.lexicon.tags import POS, POS_TAGS, TAG
from perturb.resources import read_rows


def replacements(word, tag, relation="synonyms", profile="common", *, multiword=False):
    codes = np.frombuffer(word.encode(), np.uint8)
    surface = lookup(codes, np.array([0]), np.array([len(codes)]))
    found = candidates(relation, profile, multiword=multiword)
    starts, ends = rows(found, surface, np.array([TAG[tag]], np.uint8))
    return [spell(target) for target in found.targets[starts[0] : ends[0]]]


def anything(word, profile="common"):
    return {
        target
        for relation in ("synonyms", "hypernyms")
        for tags in POS_TAGS
        for tag in tags
        for target in replacements(word, tag, relation, profile, multiword=True)
    }


@pytest.mark.parametrize(
    ("word", "never"),
    [("fox", "slyboots"), ("match", "lucifer"), ("people", "citizenry"), ("can", "tin"),
     ("it", "information technology"), ("a", "angstrom"), ("a", "axerophthol"), ("i", "iodine"),
     ("in", "inch"), ("in", "indium"), ("be", "beryllium"), ("us", "america"),
     ("was", "washington"), ("girl", "bird"), ("black", "negro"), ("say", "tell")],
)  # fmt: skip
def test_known_bad(word, never):
    assert never not in {target.lower() for target in anything(word)}


@pytest.mark.parametrize("word", ["it", "a", "i", "in", "be", "us", "was", "can", "the", "two"])
def test_function_words_have_none_in_any_profile(word):
    assert anything(word, "all") == set()


@pytest.mark.parametrize(
    ("word", "tag", "target"),
    [("children", "NNS", "kids"), ("started", "VBD", "began"), ("started", "VBN", "begun"),
     ("bigger", "JJR", "larger"), ("biggest", "JJS", "largest"), ("buys", "VBZ", "purchases"),
     ("trying", "VBG", "attempting"), ("needed", "VBD", "required"), ("movies", "NNS", "films")],
)  # fmt: skip
def test_synonyms_are_inflected(word, tag, target):
    assert target in replacements(word, tag)


@pytest.mark.parametrize(
    ("word", "tag", "target"),
    [("better", "JJR", "worse"), ("bought", "VBD", "sold"), ("victories", "NNS", "defeats"),
     ("taller", "JJR", "shorter"), ("sold", "VBD", "bought"), ("happy", "JJ", "unhappy")],
)  # fmt: skip
def test_antonyms_are_inflected(word, tag, target):
    assert target in replacements(word, tag, "antonyms")


@pytest.mark.parametrize("word", ["men", "wives", "brothers", "daughters", "aunts"])
def test_another_gender_is_no_antonym(word):
    assert replacements(word, "NNS", "antonyms") == []


@pytest.mark.parametrize(
    ("word", "tag"),
    [("fox", "NN"), ("mice", "NNS"), ("went", "VBD"), ("bigger", "JJR"), ("running", "VBG")],
)
def test_irregular_words_have_replacements_in_all(word, tag):
    related = [replacements(word, tag, name, "all") for name in ("synonyms", "hypernyms")]
    assert any(related)


def test_several_words_only_when_asked():
    assert not any(" " in word for word in replacements("quit", "VBD", profile="all"))
    assert "gave up" in replacements("quit", "VBD", profile="all", multiword=True)


@pytest.mark.slow
@pytest.mark.parametrize("relation", ["synonyms", "antonyms", "hypernyms"])
def test_no_profile_writes_what_is_barred(relation):
    barred = {word for (word,) in read_rows("english", "taboo.tsv")}
    found = candidates(relation, "all", multiword=True)
    written = {spell(target) for target in np.unique(found.targets)}
    # A barred word may be a form of another: "sacked" of "to sack", say.
    assert barred & written <= {"bitten", "lame", "lamed", "dying"}


@pytest.mark.slow
def test_every_pair_chosen_by_hand_is_common():
    poor = {
        (pos, word, other)
        for pos, word, others in read_rows("english", "poor_pairs.tsv")
        for other in others.split(" ")
    }
    for pos, word, others in read_rows("english", "good_pairs.tsv"):
        tag = POS_TAGS[POS.index(pos)][0]
        for other in others.split(" "):
            related = replacements(word, tag) + replacements(word, tag, "antonyms")
            if "_" in other:  # a phrase, which nothing but `multiword` writes
                assert other.split("_")[0] not in related
                related = replacements(word, tag, multiword=True)
            assert other.replace("_", " ") in related, (word, other)
            assert (pos, word, other) not in poor


def test_common_is_part_of_all():
    for word, tag in [("car", "NN"), ("big", "JJ"), ("start", "VB")]:
        assert set(replacements(word, tag)) <= set(replacements(word, tag, profile="all"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("homonyms",), "unknown relation of the lexicon 'homonyms': "),
     (("synonyms", "best"), "unknown profile of the lexicon 'best': known: all, common")],
)  # fmt: skip
def test_unknown_names(arguments, message):
    with pytest.raises(ValueError, match=message):
        candidates(*arguments)


@pytest.fixture(scope="module")
def tables():
    """The same from the tables alone, word by word: who is spelled so, and what is related."""
    facts = read_facts()
    exceptions = {(word, tag): form for word, tag, form in read_rows("english", "inflections.tsv")}
    stopped = {row[0] for row in read_rows("english", "stop_words.tsv")}
    related = defaultdict(list)
    for pair in pairs.synonyms(facts):
        if pair.source[1] not in stopped and (
            pair.target[1] not in stopped or pair[:2] in facts.good
        ):
            related[pair.source].append(pair)
    spelled = defaultdict(list)
    for pos, name in facts.wordnet.senses:
        if " " not in name:
            for column, form in enumerate(forms(pos, name, exceptions)):
                spelled[form, pos].append((name, column))
    return facts.wordnet, exceptions, related, spelled


def reference(tables, word, pos, tag):
    wordnet, exceptions, related, spelled = tables
    names = [name for name, column in spelled[word, pos] if POS_TAGS[pos][column] == tag]
    weight = {
        name: min(10 * wordnet.total(pos, name) + len(wordnet.senses[pos, name]), 65535)
        for name, _ in spelled[word, pos]
    }
    heaviest = [name for name in names if weight[name] == max(weight.values())]
    return [
        {
            form
            for pair in related[pos, name]
            if pair.common
            and " " not in pair.target[1]
            and (form := forms(pos, pair.target[1], exceptions)[POS_TAGS[pos].index(tag)])
            and form != word
        }
        for name in heaviest
    ]


@pytest.mark.usefixtures("only_in_full")
@pytest.mark.slow
def test_equals_the_tables(tables):
    lexicon = load()
    checked = 0
    for surface in range(0, len(lexicon.hash_order) - 1, 47):
        word = spell(surface)
        for pos in range(len(POS)):
            for tag in POS_TAGS[pos]:
                expected = reference(tables, word, pos, tag)
                if expected:
                    assert set(replacements(word, tag)) in expected, (word, tag)
                    checked += bool(expected[0])
    assert checked > 100
