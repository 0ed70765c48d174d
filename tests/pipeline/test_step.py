"""One strength: whatever is said of it is resolved in one place."""

import pytest

import perturb
from perturb import Pipeline
from perturb.registry.registry import lookup


def step(*given, **settings):
    return Pipeline.of(*given, **settings).steps[0]


@pytest.mark.parametrize("name", perturb.names())
def test_without_a_strength_one_word_in_ten_is_hit_or_every_text(name) -> None:
    found, made = lookup(name), step(name)
    whole = set(found.intensities.values()) == {1.0}
    assert (made.p, made.per) == ((1.0, "unit") if whole else (0.1, "word"))
    assert Pipeline.of(str(made)).steps == Pipeline.of(made.to_dict()).steps == (made,)


def test_a_parameter_can_make_words_of_texts() -> None:
    assert str(step("encode")).startswith("encode:p=1.0")
    assert str(step("encode:unit=word")) == "encode:p=0.1,per=word,unit=word"
    assert str(step("truncate:unit=character")) == "truncate:p=0.1,per=word,unit=character"


@pytest.mark.parametrize(
    "spec",
    [
        "keyboard_typos:p=0.1,per=word,where=inner,layout=de",
        "typo_mix:p=0.1,per=word,spare=stopwords",
        "char_swap:p=0.5,of=letters,signs=false",
        "keyboard_typos:p=0.3,per=word,within=0.3,min_word_length=4",
        "synonym:count=2,per=word,spare=stopwords",
        "filler:p=0.1,per=word,where=word",
        "keyboard_typos:severity=2",
        "keyboard_typos:intensity=high",
    ],
)
def test_what_is_said_comes_back(spec) -> None:
    made = Pipeline.of(spec)
    assert Pipeline.of(str(made)) == Pipeline.of(made.to_dict()) == made
    record = perturb.apply("Some words that are long enough, by any measure", spec, seed=1)
    assert perturb.verify(record.to_dict())


def test_every_door_takes_it() -> None:
    text, rows = "one two three four five six", [{"id": "a", "text": "one two three four five six"}]
    record = perturb.apply(text, "keyboard_typos", 0.5, per="word", id="a")
    assert len(record.edits) == 3
    (row,) = perturb.augment(rows, "keyboard_typos", 0.5, per="word")
    (same,) = perturb.Transform("keyboard_typos", 0.5, per="word")(rows)
    assert row["text"] == same["text"] == record.text
    both = perturb.apply(text, ["keyboard_typos", "case:p=0.1"], 0.5, per="word")
    assert [one.spec for one in both.steps] == ["keyboard_typos:p=0.5,per=word", "case:p=0.1"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("keyboard_typos:per=words", "per must be unit or word; got 'words': did you mean word"),
        ("keyboard_typos:per=3", "per must be unit or word; got 3"),
        ("keyboard_typos:where=middle", "where must be any or first or inner or last; got 'middle'"),
        ("keyboard_typos:severity=2,per=word", "severity is a share of its units"),
        ("keyboard_typos:intensity=low,per=word", "intensity is a share of its units"),
        ("keyboard_typos:p=0.1,within=0.3", "within is a share of a word's letters"),
        ("keyboard_typos:p=0.1,per=word,within=30", "within must be in .* for 30 % write within=0.3"),
        ("keyboard_typos:p=0.1,count=2", "give one of p, intensity, severity and count"),
        ("word_swap:where=inner", "doesn't act on single letters, so leave out where"),
        ("synonym:of=letters", "doesn't act on single letters, so leave out of"),
        ("gender_swap:p=0.5,per=word", "acts on whole texts"),
        ("add_context:per=word", "acts on whole texts"),
        ("keyboard_typos:spair=stopwords", "no parameter 'spair'; did you mean spare"),
    ],
)  # fmt: skip
def test_what_can_not_be(spec, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        Pipeline.of(spec)


def test_values_of_a_wrong_type() -> None:
    with pytest.raises(TypeError, match="signs must be true or false; got 1"):
        step("case", signs=1)
    with pytest.raises(TypeError, match="within must be a number"):
        step("case", p=0.1, per="word", within="x")


def test_a_setting_is_given_once() -> None:
    with pytest.raises(perturb.UsageError, match="has p twice"):
        Pipeline.of("ocr:p=0.1,per=word,p=0.2")
