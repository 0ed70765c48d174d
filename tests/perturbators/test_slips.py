"""Typing errors as people make them: the rate, the shares of the kinds, where they are."""

import re
from collections import Counter

import pytest
from lines import EXAMPLES, rows_in
from rapidfuzz.distance import Levenshtein

import perturb
from perturb.engine.batch import Batch
from perturb.perturbators.letters.keyboard import slips
from perturb.perturbators.letters.slips import counts, human_typos
from perturb.perturbators.shared import edit_tables
from perturb.resources import read_rows

QUESTIONS = [row["question"] for row in rows_in(EXAMPLES)]
# Prose: three quarters are letters of an alphabet here, each of one code point.
QUESTIONS = [
    one for one in QUESTIONS if 4 * len(re.findall("[a-zA-Zа-яА-Я]", one)) > 3 * len(one)
] * 40


SIGNS = " '?.,-!"


def mistyped(step, p, **more):
    ids = list(range(len(QUESTIONS)))
    return perturb.apply(QUESTIONS, step, p=p, id=ids, **more)


def kind_of(edit, text):
    """The kind of an edit, which covers no more than the error, as the counts name it."""
    here, behind = text[edit.start : edit.end], text[edit.end : edit.end + 1]
    if len(here) > 2:
        assert edit.text.lower() in counts("any")["words"][here.lower()]
        return "word"
    if edit.text.strip() and not edit.text.isalpha():
        return "sign"
    if not edit.text:
        if not here.isalpha():
            return "sign"
        if len(here) == 2:
            return "skip"
        return "undouble" if behind == here else "omit"
    if not here:
        if edit.text == " ":
            return "split" if behind.isalpha() else "spaced"
        return "double" if behind == edit.text else "insert"
    if len(here) == 2:
        assert edit.text[1] == here[0]
        return "transpose" if edit.text == here[::-1] else "blend"
    assert len(here) == len(edit.text) == 1
    return "case" if here.lower() == edit.text.lower() else "neighbour"


def expected(kind):
    """How often each kind is to be made in the questions, from the rates, one place at a time."""
    rates, letters, signs = (counts(kind)[name] for name in ("rates", "letters", "signs"))
    found = Counter()
    for text in QUESTIONS[: len(QUESTIONS) // 40]:
        for word in re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower()):
            found["word"] += sum(counts(kind)["words"].get(word, {}).values())
        for at, letter in enumerate(text):
            before, behind = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
            if letter.isalpha():
                if not letter.isascii():
                    continue
                place = 0 if not before.isalpha() else 1 if behind.isalpha() else 2
                number = ord(letter.lower()) - ord("a")
                factors = {name: some[number] for name, some in letters.items()}
                doubled = letter == behind
                led = not before or before.isupper()
                found["case"] += rates["case"][4 * (place == 0) + 2 * led + letter.isupper()]
                # At first letters slips are rarer where these are capitals.
                by = 1 if place else counts(kind)["first letters"][letter.isupper()]
                found["undouble"] += doubled * rates["undouble"][0] * by
                found["omit"] += (not doubled) * rates["omit"][place] * factors["omit"] * by
                found["double"] += rates["double"][place] * factors["double"] * by
                found["insert"] += (rates["insert"][place] + rates["stray"][place]) * by
                for name in ("neighbour", "confuse"):
                    found["neighbour"] += rates[name][place] * factors[name] * by
                pair = behind.isalpha() and not doubled
                found["transpose"] += pair * rates["transpose"][place] * by
                found["skip"] += pair * rates["skip"][place]
                found["blend"] += pair * rates["blend"][place]
                found["split"] += (place > 0) * rates["split"][0]
            elif letter in SIGNS and before.isalpha() and not behind.isdigit():
                stands = letter != " " or behind.isalpha()
                found["sign"] += stands * rates["sign"][SIGNS.index(letter)]
                found["spaced"] += stands * rates["spaced"][SIGNS.index(letter)]
                found["sign"] += (letter in signs) * rates["other"][SIGNS.index(letter)]
    return found


@pytest.mark.parametrize("p", [0.02, 0.05, 0.1, 0.2, 0.3])
def test_the_error_rate_is_p(p):
    """N = 2000 questions; the rate is within 2 % of p, 4 % where p is .02."""
    records = mistyped("human_typos:spread=0", p)
    distance = sum(Levenshtein.distance(record.original, record.text) for record in records)
    assert distance / sum(map(len, QUESTIONS)) == pytest.approx(p, rel=0.04 if p < 0.05 else 0.02)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["any", "copied", "own"])
def test_the_shares_of_the_kinds(kind):
    """N = 2000 questions, about 3500 edits; each share is within .03 of what the rates say.

    But for signs and words: few texts have an apostrophe, and a text has no more edits for it.
    """
    found = Counter(
        kind_of(edit, text)
        for text, record in zip(QUESTIONS, mistyped(f"human_typos:kind={kind}", 0.02), strict=True)
        for edit in record.edits
    )
    wanted = expected(kind)
    assert set(found) <= set(wanted)
    for rare in ("sign", "word"):
        seen, rate = found.pop(rare, 0), wanted.pop(rare)
        assert seen <= 1.1 * rate * found.total() / wanted.total()
    for name, rate in wanted.items():
        assert found[name] / found.total() == pytest.approx(rate / wanted.total(), abs=0.03), name


def test_transpositions_capitals_and_signs_are_as_frequent_as_counted():
    """The ranges are those of corpora of typed text; each share is of about 9000 edits."""
    found = Counter(
        kind_of(edit, text)
        for text, record in zip(QUESTIONS, mistyped("human_typos", 0.05), strict=True)
        for edit in record.edits
    )
    assert 0.03 < found["transpose"] / found.total() < 0.065
    assert 0.03 < found["case"] / found.total() < 0.1
    assert found["sign"] / found.total() > 0.05


def test_neighbours_are_in_the_same_row_as_often_as_is_said():
    """Where a letter has both: s has a and d beside it, w, x and z above and below."""
    for layout, row in (("us", "ad"), ("auto", "ad"), ("fr", "qd")):
        keys = slips(layout, 4)
        options = keys._options.to_list()
        at = keys._row[ord("s")]
        mine = options[keys._first[at] : keys._first[at] + int(keys._size[at])]
        beside = sum(one in row for one in mine)
        assert beside == 4 * (len(mine) - beside) > 0


@pytest.mark.parametrize(
    ("word", "other"), [("its", "it's"), ("Your", "You"), ("they’re", "there")]
)
def test_words_of_grammar_are_taken_for_each_other(word, other):
    """N = 1000 texts of one error; the rate of each of these is above 20, of a letter about 1."""
    made = perturb.apply(
        [f"So {word} old house."] * 1000, "human_typos:kind=own", count=1, id=list(range(1000))
    )
    assert sum(record.text == f"So {other} old house." for record in made) > 300


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("In 1870 and 1939 we sold 3.50, 12 and 7!", "1870 1939 3.50, 12 7!"),
        ("On the 2nd mile, H2O is $5M, or A-4 at 10am.", "2n H2O $5M -4 10a"),
        ("Летний театр работал с 1870 по 1939 год.", "1870 1939"),
    ],
)
def test_numbers_stay(text, kept):
    for seed in range(20):
        made = perturb.apply(text, "human_typos", p=0.3, seed=seed).text
        assert all(number in made for number in kept.split())


def test_the_layout_follows_the_script():
    text = "Летний театр работал всю зиму, и зрители любили его. "
    made = "".join(perturb.apply(text, "human_typos", p=0.3, seed=s).text for s in range(20))
    assert not any("a" <= letter <= "z" for letter in made)
    assert perturb.apply("敏捷的棕色狐狸。", "human_typos", p=0.3).edits == ()


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["tr", "cz", "hu", "hr", "lt", "sk", "si", "ge", "us"])
def test_letters_are_those_of_the_keyboard_in_texts_of_latin_1_too(layout):
    text = "Logs of a quiet opal, as is said: laid, pulp, hill. " * 20
    typed = {key for row in read_rows("keyboards", f"{layout}.tsv") for key in "".join(row)}
    # Beside the letters that are taken for others, which are of the alphabet of English.
    typed |= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    step = f"human_typos:p=0.4,layout={layout}"
    record, beside = perturb.apply(text, step, seed=1), perturb.apply([text, "ЖЖЖ"], step, seed=1)
    assert {letter for edit in record.edits for letter in edit.text} <= typed | {" "}
    assert beside[0].text == record.text


@pytest.mark.slow
def test_double_letters_of_other_alphabets_are_written_once_more_often_than_one_is_left_out():
    """N = 10,000 words, some 400 edits: a double letter is written once 6 times as often."""
    records = perturb.apply(["ванна " * 500] * 20, "human_typos", p=0.01, id=list(range(20)))
    edits = [edit for record in records for edit in record.edits]
    left_out = Counter(
        edit.start % 6 for edit in edits if edit.text == "" and edit.end == edit.start + 1
    )
    assert left_out[2] > 4 * left_out[1] > 0


def test_letters_with_marks_stay():
    text = "Ame\u0301lie e\u0301tait la\u0300, en e\u0301te\u0301. " * 5
    for seed in range(20):
        made = perturb.apply(text, "human_typos", p=0.3, seed=seed).text
        assert made.count("e\u0301") == text.count("e\u0301")


LANGUAGES = [
    "They're all here, and the weather is fine.",
    "Die Kinder spielen im Garten, weil das Wetter heute schön ist.",
    "Les élèves étudient à la bibliothèque avec beaucoup d'énergie.",
    "Дети играют в саду, потому что сегодня хорошая погода.",
    "Dzieci bawią się w ogrodzie, ponieważ dziś jest ładna pogoda.",
] * 8


def test_each_keyboard_sees_its_own_texts_alone(monkeypatch) -> None:
    sizes, made = [], edit_tables.noisy_sites

    def noisy_sites(batch, *rest):
        sizes.append(len(batch.texts))
        return made(batch, *rest)

    monkeypatch.setattr(edit_tables, "noisy_sites", noisy_sites)
    human_typos(Batch.of(LANGUAGES))
    assert sizes == [len(LANGUAGES), 8, 8, 8]


@pytest.mark.parametrize("step", ["human_typos", "keyboard_typos", "shift_slip"])
def test_a_text_is_mistyped_alike_among_other_languages(step) -> None:
    names = [*map(str, range(len(LANGUAGES)))]
    together = perturb.apply(LANGUAGES, step, p=0.2, seed=1, id=names)
    for text, name, record in zip(LANGUAGES, names, together, strict=True):
        assert perturb.apply(text, step, p=0.2, seed=1, id=name).text == record.text
