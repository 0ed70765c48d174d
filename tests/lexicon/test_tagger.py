import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturb.engine.batch import Batch
from perturb.engine.text.strings import Strings
from perturb.lexicon import tagger
from perturb.lexicon.store import load
from perturb.lexicon.tagger_rules import (
    AFTER,
    BEFORE,
    GOVERNOR,
    LEFT,
    RIGHT,
    Sight,
    has,
    is_one,
    noun_form,
    verb_form,
)
from perturb.lexicon.tags import (
    BIT,
    FIRST_TAG,
    FUNCTION_BITS,
    NAME,
    NN,
    NOBODY,
    NOUN,
    TAGS,
    VBG,
    VERB,
)
from perturb.lexicon.tokens import DIGITS, MIXED, POSSESSIVE, TITLE, UPPER, read_batch

SENTENCES = Path(__file__).with_name("sentences.tsv").read_text("utf-8").partition("\n\n")[2]
MARK = re.compile(r"\*([^/*]+)/([A-Z-]+)\*")
WORD = re.compile(r"[\w'’-]+")


def see(text):
    spans = [match.span() for match in WORD.finditer(text)]
    batch = Batch.of([text])
    edges = np.array(spans, np.int64).reshape(-1, 2) + batch.texts.starts[0]
    return read_batch(batch.with_words(Strings(batch.codes, *edges.T), frozenset()))


def tags(text):
    words = WORD.findall(text)
    return dict(zip(words, (TAGS[number] for number in tagger.tag(see(text))), strict=True))


def marked():
    for line in SENTENCES.splitlines():
        plain, wanted, last = "", {}, 0
        for match in MARK.finditer(line):
            plain += line[last : match.start()]
            wanted[len(plain)] = match[2]
            plain += match[1]
            last = match.end()
        plain += line[last:]
        found = tagger.tag(see(plain))
        for match, number in zip(WORD.finditer(plain), found, strict=True):
            if match.start() in wanted:
                yield match[0], wanted[match.start()], TAGS[number], plain


def test_share_of_words_tagged_as_a_reader_would(capsys):
    results = list(marked())
    given_tag = [(wanted, found) for _, wanted, found, _ in results if found != "-"]
    right = sum(wanted == found for wanted, found in given_tag)
    same_class = sum(wanted[:1] == found[:1] for wanted, found in given_tag)
    # What one form stands for does not matter where it is spelled alike: "walked", VBD or VBN.
    with capsys.disabled():
        print(
            f"\n{len(SENTENCES.splitlines())} sentences, {len(results)} words marked: "
            f"{right / len(given_tag):.1%} of the tags given are right, "
            f"{same_class / len(given_tag):.1%} in part of speech; "
            f"{1 - len(given_tag) / len(results):.1%} left alone"
        )
    assert len(SENTENCES.splitlines()) >= 200
    assert right / len(given_tag) >= 0.96
    assert len(given_tag) / len(results) >= 0.93


@pytest.mark.parametrize(
    ("text", "word", "tag"),
    [("The children went home.", "children", "NNS"), ("He went there.", "went", "VBD"),
     ("It is better than that.", "better", "JJR"), ("They are running a shop.", "running", "VBG"),
     ("She watches him.", "watches", "VBZ"), ("The watches are new.", "watches", "NNS"),
     ("Mice ate it.", "Mice", "NNS"), ("Josh watches films.", "watches", "VBZ"),
     ("He has broken it.", "broken", "VBN"), ("He broke it.", "broke", "VBD"),
     ("He didn't watch films.", "watch", "VB"), ("They aren't running.", "running", "VBG"),
     ("He will cut the cake.", "cut", "VB"), ("She cut the cake.", "cut", "VBD"),
     ("She has cut the cake.", "cut", "VBN"), ("10 watches", "watches", "NNS")],
)  # fmt: skip
def test_tags(text, word, tag):
    assert tags(text)[word] == tag


@pytest.mark.parametrize(
    ("text", "word"),
    [("We like ice cream.", "ice"), ("We like ice cream.", "cream"), ("He gave up.", "gave"),
     ("I met Rose in town.", "Rose"), ("Mark ran.", "Mark"), ("They read it.", "read"),
     ("He saw the US army.", "US"), ("An iPod broke.", "iPod"), ("There are two cats.", "two"),
     ("It can be.", "can"), ("Qwxyz", "Qwxyz"), ("We met in May 1990.", "1990")],
)  # fmt: skip
def test_left_alone(text, word):
    assert tags(text)[word] == "-"


def test_no_words():
    assert tags("") == {}


def test_shouting_is_not_an_acronym():
    assert tags("THE DOG BARKED LOUDLY")["DOG"] == "NN"


def sight_of(words, place, seems):
    """What the rules see of one word, by looking left and right of it."""
    lexicon = load()

    def classes(index):
        surface = words.surfaces[index]
        bits = int(lexicon.facts[surface]) if surface >= 0 else 0
        bits |= BIT["number"] if words.shapes[index] == DIGITS else 0
        possessive = words.shapes[index] == POSSESSIVE
        return bits | (BIT["determiner"] | BIT["possessive"] if possessive else 0)

    def masks(index, pos):
        return int(lexicon.masks[words.surfaces[index], pos]) if words.surfaces[index] >= 0 else 0

    def left_of(index):
        return None if index is None or words.apart[index] else index - 1

    def governor_of(index):
        before = left_of(index)
        if not any_of(before, "adverb", "degree", "negation"):
            return before
        return before if any_of(before, "modal", "be", "have") else left_of(before)

    def class_at(index):
        return 0 if index is None else classes(index)

    def any_of(index, *names):
        return class_at(index) & sum(BIT[name] for name in names) != 0

    def finite(index):
        verb = seems is not None and seems[index] == VERB and masks(index, VERB) != VBG
        governed = any_of(governor_of(index), "to", "be", "have")
        return (verb and not governed) or any_of(index, "modal", "be", "have")

    def since(found, opens):
        begin = place
        while begin and not opens(begin):
            begin -= 1
        return any(found(index) for index in range(begin, place))

    left = left_of(place)
    right = place + 1 if place + 1 < len(words.first) and not words.apart[place + 1] else None
    fields = {
        "nouns": np.uint8(masks(place, 0)),
        "verbs": np.uint8(masks(place, 1)),
        "before": np.uint32(class_at(left)),
        "governor": np.uint32(class_at(governor_of(place))),
        "after": np.uint32(class_at(right)),
        "first": bool(words.first[place]) or any_of(left, "interjection"),
        "asked": since(lambda index: any_of(index, "modal"), lambda index: words.first[index]),
        "verbed": seems is not None
        and since(
            finite,
            lambda index: words.apart[index] or any_of(index, "conjunction", "question", "subject"),
        ),
        "left": np.int8(NOBODY if seems is None or left is None else seems[left]),
        "right": np.int8(NOBODY if seems is None or right is None else seems[right]),
        "left_nouns": np.uint8(0 if left is None else masks(left, 0)),
    }
    return Sight(**{name: np.array([value]) for name, value in fields.items()})


def scores_of(words, place):
    surface = words.surfaces[place]
    lexicon = load()
    if surface < 0 or lexicon.facts[surface] & FUNCTION_BITS:
        return np.zeros((1, 4), np.float32)
    counted = lexicon.weights[surface].astype(np.float32) + np.float32(5)
    return np.where(lexicon.masks[surface] > 0, counted, np.float32(0))[None]


def apply_rules(rules, scores, sight):
    for rule in rules:
        if rule.holds(sight)[0]:
            scores = scores * np.array(rule.factors, np.float32)
    return scores


def is_name(words, place):
    surface, shape = words.surfaces[place], words.shapes[place]
    bits = int(load().facts[surface]) if surface >= 0 else 0
    known_name = surface < 0 or bits & BIT["name"]
    function_word = surface >= 0 and bits & FUNCTION_BITS
    return shape in (TITLE, MIXED) and not function_word and (not words.first[place] or known_name)


def inflected(part, surface, sight):
    """The tag of a word as a part of speech; 0 where its form is left open."""
    mask = int(load().masks[surface, part])
    column = (mask & -mask).bit_length() - 1
    if part == NOUN:
        column = noun_form(sight)[0]
    elif part == VERB:
        noun = (sight.left == NOUN) & (sight.left_nouns == NN)
        column = verb_form(
            sight.verbs,
            has(sight.governor, "have", "be") | has(sight.before, "determiner", "preposition"),
            has(sight.governor, "modal", "to"),
            is_one(sight.governor) | (sight.left == NAME) | noun,
            sight.first,
            sight.asked,
        )[0]
    return 0 if column < 0 else FIRST_TAG[part] + int(column)


def reference(words):
    """The tagger again, one word at a time."""
    count = len(words.first)
    first = [
        apply_rules(BEFORE + GOVERNOR + AFTER, scores_of(words, n), sight_of(words, n, None))
        for n in range(count)
    ]
    seems = [
        NAME if is_name(words, n) else int(first[n].argmax()) if first[n].any() else NOBODY
        for n in range(count)
    ]
    found = []
    for place in range(count):
        sight = sight_of(words, place, seems)
        scores = apply_rules(LEFT + RIGHT, first[place], sight)
        found.append(inflected(int(scores.argmax()), words.surfaces[place], sight))
        ordered = np.sort(scores[0])
        loud = [n for n in (place - 1, place, place + 1) if words.shapes[n % count] == UPPER]
        if (
            not ordered[3] > 0
            or ordered[3] < 1.5 * ordered[2]
            or words.surfaces[place] < 0
            or is_name(words, place)
            or loud == [place]
            or words.shapes[place] == MIXED
            or collocated(words, place)
            or load().facts[words.surfaces[place]] & FUNCTION_BITS
        ):
            found[-1] = 0
    return found


def collocated(words, place):
    for left in (place - 1, place):
        if 0 <= left < len(words.first) - 1 and not words.apart[left + 1]:
            first, second = (int(surface) for surface in words.surfaces[left : left + 2])
            if first >= 0 and second >= 0 and first << 32 | second in COLLOCATIONS:
                return True
    return False


COLLOCATIONS = set(load().collocations.tolist())
PIECES = st.sampled_from(
    ["the", "a", "my", "Josh's", "can", "to", "not", "very", "he", "they", "is", "has", "did",
     "who", "two", "10", "please", "watch", "watches", "light", "cut", "run", "old", "house",
     "Mark", "US", "BIG", "sheep", "school", "supplies", "quickly", "ice", "cream", "that", "and",
     "over", "gave", "up", "bark", "dogs", "Qwx", "iPod", "'s", ",", ".", "!", "?", "\n"]
)  # fmt: skip


@pytest.mark.slow
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_equals_the_tagger_of_one_word_at_a_time(text):
    words = see(text)
    assert tagger.tag(words).tolist() == reference(words)


@pytest.mark.slow
def test_reference_on_the_sentences():
    for line in SENTENCES.splitlines():
        words = see(MARK.sub(r"\1", line))
        assert tagger.tag(words).tolist() == reference(words)


def test_batch_equals_one_by_one():
    texts = [MARK.sub(r"\1", line) for line in SENTENCES.splitlines()[:50]]
    joined = "\n".join(texts)
    apart = np.concatenate([tagger.tag(see(text)) for text in texts])
    assert tagger.tag(see(joined)).tolist() == apart.tolist()


def test_tags_only_what_is_wanted():
    words = see("The dog barked at the cat")
    wanted = np.array([False, True, False, True, True, False])
    assert tagger.tag(words, wanted).tolist() == (tagger.tag(words) * wanted).tolist()


def test_class_bits():
    assert has(np.array([BIT["modal"]], np.uint32), "modal", "to")[0]
