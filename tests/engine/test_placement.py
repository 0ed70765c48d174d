"""Where within words a step may act, and shares of words: the one grammar of all steps."""

import math

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.engine.batch import Batch
from perturb.engine.placement import counted_words
from perturb.pipeline.pipeline import Pipeline
from perturb.testing import seeds, shares, texts

LETTER_STEPS = (
    *("keyboard_typos", "typo_mix", "human_typos", "char_delete", "char_insert"),
    *("char_swap", "case", "leetspeak", "ocr"),
)
# Of other units: places, words, white space.
STEPS = (*LETTER_STEPS, "misspelling", "synonym", "punctuation", "word_delete", "whitespace")
PROSE = "Which of the three lakes near Geneva, in the north, is deeper than the others? "
ENGLISH = [" ".join(PROSE.split()[k % 7 : 3 + k % 11]) for k in range(400)]
SIGN = regex.compile(r"[\p{P}\p{S}]")


def words_of(text):
    """The spans of the words of a text."""
    words = Batch.of([text]).words
    return list(zip((words.starts - 1).tolist(), (words.ends - 1).tolist(), strict=True))


def counted_of(text, step="keyboard_typos"):
    """The spans of the words that count."""
    batch = Batch.of([text])
    words = counted_words(batch, Pipeline.of(step).steps[0].sites(batch))
    return list(zip((words.starts - 1).tolist(), (words.ends - 1).tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
@given(text=texts, low=shares, high=shares, seed=seeds)
def test_shares_of_words_are_nested(step, text, low, high, seed) -> None:
    low, high = sorted((low, high))
    fewer = perturb.apply(text, step, low, per="word", seed=seed).edits
    assert set(fewer) <= set(perturb.apply(text, step, high, per="word", seed=seed).edits)


@pytest.mark.slow
@pytest.mark.parametrize("step", LETTER_STEPS)
@given(text=texts, p=shares, seed=seeds)
def test_a_word_has_one_edit(step, text, p, seed) -> None:
    of_words = perturb.Pipeline.of(step, p=p, per="word", spread=0)
    record = perturb.apply(text, of_words, seed=seed)
    words = counted_of(text)
    assert record.steps[0].units + record.steps[0].closed == len(words)
    assert record.steps[0].edits <= math.floor(p * len(words)) + 1
    # An edit belongs to the word that it starts in, or that stands before it.
    places = [sum(start <= edit.start for start, _ in words) for edit in record.edits]
    own = [place for place, edit in zip(places, record.edits, strict=True) if place]
    if record.steps[0].edits == len(record.edits):  # none of them was cut into several
        assert len(set(own)) == len(own)
    assert perturb.verify(record)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("p", [0.05, 0.1, 0.33])
def test_the_expected_number_of_words_is_the_share(step, p) -> None:
    """Within 5 standard deviations, each text's number being within 1 of p * words.

    Texts of two to ten words; only those whose words with sites suffice for every draw.
    """
    of_words = perturb.Pipeline.of(step, p=p, per="word", spread=0)
    records = perturb.apply(ENGLISH, of_words, id=list(range(len(ENGLISH))))
    able = [one for one in records if one.sites >= 1 + p * one.steps[0].units]
    expected = sum(p * one.steps[0].units for one in able)
    got = sum(one.steps[0].edits for one in able)
    assert abs(got - expected) <= 2.5 * max(len(able), 1) ** 0.5
    assert all(abs(one.steps[0].edits - p * one.steps[0].units) < 1 for one in able)


def test_a_count_is_of_words() -> None:
    made = perturb.apply("one two three four five", "keyboard_typos", count=3, per="word", seed=4)
    assert len(made.edits) == 3
    hit = {made.original.count(" ", 0, edit.start) for edit in made.edits}
    assert len(hit) == 3


@pytest.mark.slow
@given(text=texts)
def test_words_that_count_against_a_walk(text) -> None:
    """In scripts without word spaces two characters are a word; in others a word is one."""
    solid = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}ーｰ]"
    wanted = []
    for start, end in words_of(text):
        run, was = 0, None
        at = start
        # The clusters of the whole text: a word can begin within one.
        borders = [m.start() for m in regex.finditer(r"\X", text) if start < m.start() < end]
        for at in (start, *borders):
            now = bool(regex.match(solid, text[at]))
            run = 0 if now != was else run + 1
            if now != was or (now and run % 2 == 0):
                wanted.append(at)
            was = now
    assert [start for start, _ in counted_of(text)] == wanted
    ends = [end for _, end in counted_of(text)]
    assert all(end <= after for end, after in zip(ends, [*wanted[1:], len(text)], strict=False))
    assert sum(ends) - sum(wanted) == sum(end - start for start, end in words_of(text))


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("剧院从哪一年开始向公众开放，门票多少钱？", 0.8),
        ("プログラミング言語を最初に作った人は誰ですか。", 0.8),
        ("ประเทศไทยมีกี่จังหวัดและเมืองหลวงชื่ออะไร", 0.8),
        ("Which river flows through the old town of Bern?", 0.7),
    ],
)
@pytest.mark.parametrize("step", ["char_delete", "char_swap", "char_repeat", "homoglyph"])
def test_the_default_changes_most_questions(text, changed, step) -> None:
    records = perturb.apply([text] * 200, step, id=list(range(200)))
    assert sum(one.status == "changed" for one in records) >= changed * 200


@pytest.mark.slow
@pytest.mark.parametrize("where", ["first", "inner", "last"])
@pytest.mark.parametrize("step", LETTER_STEPS)
@given(text=texts, seed=seeds)
def test_letters_are_hit_where_it_is_asked(step, where, text, seed) -> None:
    record = perturb.apply(text, Pipeline.of(step, p=1.0, where=where), seed=seed)
    assert perturb.verify(record)
    open_ = set()
    for start, end in words_of(text):
        borders = [m.start() for m in regex.finditer(r"\X", text) if start < m.start() < end]
        letters = list(zip([start, *borders], [*borders, end], strict=True))
        wanted = {"first": letters[:1], "last": letters[-1:], "inner": letters[1:-1]}[where]
        open_ |= {at for a, b in wanted for at in range(a, b)}
    for edit in record.edits:
        assert set(range(edit.start, max(edit.end, edit.start + 1))) <= open_, (text, edit)
    assert record.steps[0].units <= len(open_)


@pytest.mark.slow
@pytest.mark.parametrize("step", LETTER_STEPS)
@given(text=texts, seed=seeds)
def test_of_letters_hits_and_counts_letters(step, text, seed) -> None:
    record = perturb.apply(text, Pipeline.of(step, p=1.0, of="letters"), seed=seed)
    for edit in record.edits:
        hit = text[edit.start : max(edit.end, edit.start + 1)]
        assert regex.fullmatch(r"[\p{L}\p{M}]+", hit), (text, edit)
    if Pipeline.of(step).steps[0].sites(Batch.of([""])).unit == "character":
        assert record.steps[0].units <= len(regex.findall(r"[\p{L}\p{M}]", text))


@pytest.mark.slow
@pytest.mark.parametrize("step", [*LETTER_STEPS, "char_insert:alphabet=.?ab", "shift_slip"])
@given(text=texts, seed=seeds)
def test_without_signs_none_is_hit_or_written(step, text, seed) -> None:
    record = perturb.apply(text, Pipeline.of(step, p=1.0, signs=False), seed=seed)
    for edit in record.edits:
        assert not SIGN.search(edit.text), (text, edit)
        assert not SIGN.search(text[edit.start : edit.end]), (text, edit)


def test_without_signs_a_letter_is_hit_as_often_as_another() -> None:
    """Half of the keys beside l have signs, and none of those beside o.

    Each of 4,000 is hit with p = 0.5: 2,000 within 5 standard deviations of 32.
    """
    made = perturb.apply("lo" * 4000, perturb.steps.keyboard_typos(p=0.5, signs=False))
    assert abs(sum(made.original[edit.start] == "l" for edit in made.edits) - 2000) < 160
    written = {edit.text for edit in made.edits if made.original[edit.start] == "l"}
    assert written == {"o", "k"}


@pytest.mark.slow
@given(text=texts, within=st.floats(0.05, 1), seed=seeds)
def test_within_a_word_a_share_of_its_letters_is_hit(text, within, seed) -> None:
    record = perturb.apply(
        text, perturb.steps.char_replace(p=1.0, per="word", within=within), seed=seed
    )
    one = perturb.apply(text, "char_replace", 1.0, per="word", seed=seed)
    assert set(one.edits) <= set(record.edits)
    for start, end in counted_of(text):
        hit = sum(start <= edit.start < end for edit in record.edits)
        size = 1 + sum(start < m.start() < end for m in regex.finditer(r"\X", text))
        assert hit <= max(1, math.floor(within * size) + 1), (text, start)


def test_the_share_within_a_word_is_exact() -> None:
    """20 texts of 50 words of ten letters, 30 % of each: three, and the rest of nothing to draw."""
    batch = ["abcdefghij " * 50] * 20
    records = perturb.apply(batch, "char_replace:p=0.2,per=word,within=0.3", id=list(range(20)))
    assert {len(one.edits) for one in records} == {30}
    half = perturb.apply(batch, "char_replace:p=0.2,per=word,within=0.25", id=list(range(20)))
    assert {(one.steps[0].units, one.steps[0].edits, one.rate) for one in half} == {(50, 10, 0.2)}
    # Two or three of ten letters in 200 words: 500 with a standard deviation of 7.
    assert abs(sum(len(one.edits) for one in half) - 500) < 36


def test_stop_words_stay() -> None:
    upper = "case:style=upper,p=1,spare=stopwords"
    made = perturb.apply("The war in which many men die was NOT long", upper)
    assert made.text == "The WAR in which many MEN DIE was NOT LONG"
    assert (made.steps[0].units, made.steps[0].closed) == (4, 6)
    of_all = perturb.apply(
        "The war in which many men die was not long",
        perturb.steps.char_delete(p=0.4, per="word", spare="stopwords"),
    )
    assert (of_all.steps[0].units, of_all.sites, len(of_all.edits)) == (10, 4, 4)
    assert perturb.apply("Don’t they know two numbers", upper).text == "Don’t they KNOW TWO NUMBERS"


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
@given(text=texts, start=st.integers(0, 30), size=st.integers(1, 20), seed=seeds)
def test_protection_and_shares_of_words(step, text, start, size, seed) -> None:
    start = min(start, len(text))
    end = min(start + size, len(text))
    free = perturb.apply(text, step, 0.6, per="word", seed=seed)
    held = perturb.apply(text, step, 0.6, per="word", seed=seed, protect=[(start, end)])
    assert all(edit.end <= start or edit.start >= end for edit in held.edits)
    before, after = free.steps[0], held.steps[0]
    assert before.units + before.closed == after.units + after.closed
    assert after.units <= before.units
    only = perturb.apply(text, step, 1.0, per="word", seed=seed, only=[(start, end)])
    assert all(start <= edit.start and edit.end <= end for edit in only.edits)


@pytest.mark.parametrize(
    "setting",
    [
        {"per": "word"},
        {"per": "word", "where": "inner", "spare": "stopwords"},
        {"per": "word", "within": 0.4},
        {"of": "letters", "signs": False},
        {"where": "last"},
    ],
    ids=str,
)
@pytest.mark.parametrize("step", ["keyboard_typos", "char_insert:alphabet=.?ab", "typo_mix"])
def test_a_text_is_the_same_in_any_batch(step, setting) -> None:
    batch = [*ENGLISH[:40], "", "12, 13!", "剧院从哪一年开始", "🙂", "re\u0301sume\u0301 \u0301a"]
    noise = Pipeline.of(step, p=0.3, **setting)
    together = perturb.apply(batch, noise, seed=3)
    alone = [perturb.apply(text, noise, seed=3) for text in batch]
    assert together == alone


def test_a_mistyped_comma_is_no_mistyped_word() -> None:
    text = "one, two; three: four. five! " * 40
    made = perturb.apply(text, "keyboard_typos", 1.0, per="word")
    assert all(text[edit.start].isalpha() for edit in made.edits)
    assert len(made.edits) == made.steps[0].units == 200
    marked = perturb.apply("one, two", "punctuation:mode=strip", 1.0, per="word")
    assert marked.text == "one two"


def test_kernels_and_numpy_choose_the_same_words(monkeypatch) -> None:
    from perturb.engine.native import binding

    made = perturb.apply(ENGLISH, "keyboard_typos", 0.3, per="word", seed=1)
    monkeypatch.setattr(binding, "LIBRARY", None)
    assert perturb.apply(ENGLISH, "keyboard_typos", 0.3, per="word", seed=1) == made
    assert np.sum([len(one.edits) for one in made]) > 100
