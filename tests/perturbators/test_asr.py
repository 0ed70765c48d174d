"""What a speech recogniser leaves."""

import re
from itertools import groupby

import numpy as np
import pytest
from lines import EXAMPLES, rows_in
from rapidfuzz.distance import Levenshtein

import perturb
from perturb.resources import read_json

QUESTIONS = [re.sub(r"\S*\d\S*", "some", row["question"]) for row in rows_in(EXAMPLES)]


def heard(text, errors=0.0, protect=None, style="classic"):
    return perturb.apply(text, f"asr:errors={errors},style={style}", p=1.0, protect=protect).text


@pytest.mark.parametrize(
    ("before", "after", "modern"),
    [
        (
            "Wait, Ann: he paid for 24 eggs!",
            "wait ann he paid for twenty-four eggs",
            "Wait Ann he paid for 24 eggs",
        ),
        (
            "Call 212-555-0100, or 555-0199 at 3-4",
            "call two one two five five five zero one zero zero or five five five zero one nine "
            "nine at three-four",
            "Call 212-555-0100 or 555-0199 at 3-4",
        ),
        ("They're late \u2014 why?", "they're late why", "They're late why"),
        ("So.  It is.   But, (no)", "so it is  but no", "So It is  But no"),
        ("THE DOG\u2019S bowl, “yes” (no)", "the dog’s bowl yes no", "THE DOG’S bowl yes no"),
        (
            "See `Code X` at www.Big.org, Ann",
            "see `Code X` at www.Big.org ann",
            "See `Code X` at www.Big.org Ann",
        ),
        (
            "Dr. Lee's 3 kids paid $4.50 (incl. tax) / 10% off!",
            "dr. lee's three kids paid four dollars and fifty cents incl. tax ten percent off",
            "Dr. Lee's 3 kids paid $4.50 incl. tax 10% off",
        ),
        (
            "He and/or R&D had $1,200 in 2019, €1 in 1905, £0.05 on the 21st.",
            "he and or r and d had one thousand two hundred dollars in twenty nineteen one euro "
            "in nineteen oh five five pence on the twenty-first",
            "He and or R and D had $1,200 in 2019 €1 in 1905 £0.05 on the 21st",
        ),
        ("At 9:30, 3.14 + 007", "at nine thirty three point one four plus zero zero seven",
         "At 9:30 3.14 plus 007"),
        ("$2.5 million for B2B", "two point five million dollars for b2b", "$2.5 million for B2B"),
    ],
)  # fmt: skip
def test_without_errors(before, after, modern) -> None:
    assert heard(before) == after
    assert heard(before, style="modern") == modern


def words_of(text):
    return re.sub(r"[^a-z0-9' ]", " ", text.lower()).split()


def wrong_words(records):
    """For each text its number of words, and of the first with an error the number and the kind."""
    for record in records:
        said, written = words_of(record.original), words_of(record.text)
        yield len(said), [(at, kind) for kind, at, _ in Levenshtein.editops(said, written)]


@pytest.mark.parametrize("errors", [0.08, 0.2, 0.5])
def test_errors_are_the_word_error_rate(errors) -> None:
    """N is 4,000 questions of 10 words: three standard errors are 9 % of the rate.

    A word that is lost beside one that becomes two reads as one error, so the rate may be less.
    """
    texts = QUESTIONS * 24
    made, without = (
        wrong_words(perturb.apply(texts, f"asr:errors={rate}", p=1.0, id=list(range(len(texts)))))
        for rate in (errors, 0)
    )
    words, wrong = map(sum, zip(*((n, len(e)) for n, e in made), strict=True))
    assert words > 30_000
    assert 0.8 * errors < (wrong - sum(len(e) for _, e in without)) / words < 1.09 * errors


def test_kinds_and_runs_are_as_counted() -> None:
    """At the rate of the counts: 76 % substitutes, 12 lost, 12 put in, 38 % of runs of several."""
    texts = QUESTIONS * 8
    records = perturb.apply(texts, "asr:errors=0.22", p=1.0, id=list(range(len(texts))))
    errors = [error for _, error in wrong_words(records)]
    kinds = [kind for error in errors for _, kind in error]
    assert kinds.count("replace") / len(kinds) == pytest.approx(0.76, abs=0.05)
    assert kinds.count("delete") / len(kinds) == pytest.approx(0.12, abs=0.04)
    places = [sorted({at for at, _ in error}) for error in errors]
    runs = [
        len([*run])
        for at in places
        for _, run in groupby(enumerate(at), key=lambda pair: pair[1] - pair[0])
    ]
    assert np.mean(np.array(runs) > 1) == pytest.approx(0.38, abs=0.08)


def test_errors_are_nested() -> None:
    few, many = (
        perturb.apply(QUESTIONS, f"asr:errors={errors},style=modern", p=1.0)
        for errors in (0.1, 0.4)
    )
    for less, more in zip(few, many, strict=True):
        assert {(e.start, e.end, e.text) for e in less.edits} <= {
            (e.start, e.end, e.text) for e in more.edits
        }


def test_a_substitute_is_another_word_in_the_case_of_the_first() -> None:
    text = "The Sea and THE SEA " * 300
    made = perturb.apply(text, "asr:errors=1,style=modern", p=1.0)
    swaps = [(e.removed, e.text) for e in made.edits if e.text and " " not in e.text]
    assert swaps
    for removed, written in swaps:
        assert written.lower() != removed.lower()
        assert written[0].isupper() == removed[0].isupper()
    assert {written for removed, written in swaps if removed == "Sea"} > {
        "See",
        "Sci",
        "So",
        "She",
    }


@pytest.mark.parametrize(
    ("unknown", "neighbours"),
    [
        ("schoolz", {"schools", "schooner"}),
        ("luther's", {"luther", "lutheran"}),
        ("aaaa", {"aachen", "a"}),
        ("zzyzx", {"zydeco"}),
        ("q2", {"python", "qantas"}),
    ],
)
def test_a_word_of_no_dictionary_becomes_a_neighbour_in_the_alphabet(unknown, neighbours) -> None:
    made = perturb.apply(f"the {unknown} " * 400, "asr:errors=1,style=modern", p=1.0)
    assert neighbours <= {e.text for e in made.edits if e.removed == unknown}


def test_each_word_of_grammar_is_wrong_as_often_as_counted() -> None:
    """Words that few questions have are wrong more often than the, which is in most of them.

    In a run all words are wrong as often, so the others come nearer to it.
    """
    made = perturb.apply("the would the their the " * 800, "asr:errors=0.2,style=modern", p=1.0)
    count = {
        word: sum(e.removed.strip() == word for e in made.edits)
        for word in ("the", "would", "their")
    }
    rates = read_json("noise", "asr.json")["grammar is wrong"]
    for word in ("would", "their"):
        assert rates["the"] * 2 < count[word] / count["the"] * 3 * rates["the"] < rates[word]


def test_what_is_protected_stays_and_the_rest_changes() -> None:
    assert heard("Ann ate 24 eggs in Rome.", protect="word:Rome") == (
        "ann ate twenty-four eggs in Rome"
    )
    assert perturb.apply("Ça va? Je ne sais pas où il est.", "asr", p=1.0).status == "not English"


def written_by_whisper(text, errors=0.0, count=400):
    """What Whisper writes of a text that comes so often."""
    return [
        str(record)
        for record in perturb.apply(
            [text] * count, f"asr:style=whisper,errors={errors}", id=range(count)
        )
    ]


def test_whisper_writes_sentences_where_there_are_none() -> None:
    """N = 400 of each: the standard error of a share is 0.025."""
    layout = read_json("noise", "whisper.json")["layout"]
    for text, kind in (("what is a pdf", "asks"), ("the sea is wide", "tells")):
        made = written_by_whisper(text)
        assert {line.rstrip(".?").lower() for line in made} == {text}
        ends = [sum(line[-1] == sign for line in made) / 400 for sign in "?."]
        assert ends == pytest.approx(layout["ends"][kind][:2], abs=0.08)
        for sign, share in zip("?.", layout["capital"][kind], strict=False):
            upper = [line[0].isupper() for line in made if line[-1] == sign]
            assert len(upper) < 50 or np.mean(upper) == pytest.approx(share, abs=0.15)


def test_whisper_keeps_some_punctuation_and_the_last_of_a_text_once() -> None:
    layout = read_json("noise", "whisper.json")["layout"]
    made = written_by_whisper("Well, so it is, (I said).")
    assert {re.sub(r"[^\w ]", "", line).lower() for line in made} == {"well so it is i said"}
    commas = np.mean([line.count(",") / 2 for line in made])
    assert commas == pytest.approx(layout["kept"][","], abs=0.08)
    assert all(re.search(r"said[.?]?$", line) for line in made)
    assert {*written_by_whisper("?!"), *written_by_whisper("")} == {"?!", ""}
    assert {line.strip(".") for line in written_by_whisper("15")} == {"15"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("so good!!! #love", r"so good!? number love[.?]?"),
        ('he said "go home." then he left', r"he said go home\.? then he left[.?]?"),
        ("1. chop it\n2. fry it", r"1\. chop it\n2\. fry it[.?]?"),
        ("born on 4 May in flat B 4", r"born on \d+ may in flat b \d+[.?]?"),
    ],
)
def test_whisper_keeps_one_sign_of_a_run_and_the_numbers_of_items(text, wanted) -> None:
    for line in written_by_whisper(text, count=100):
        assert re.fullmatch(wanted, line.lower()), line


def test_whisper_writes_small_numbers_in_either_way_and_mishears_some() -> None:
    layout = read_json("noise", "whisper.json")["layout"]
    made = written_by_whisper("We saw 3 of the five in 1519 and 15 more at $3,200 each")
    assert np.mean(["three" in line for line in made]) == pytest.approx(
        layout["words"][0], abs=0.08
    )
    assert np.mean([" 5 " in line for line in made]) == pytest.approx(layout["digits"][0], abs=0.08)
    assert any(" 50 more" in line for line in made)
    assert any(re.search(r" 1,51\d and", line) for line in made)
    assert all("$3,200" in line for line in made)


def test_what_whisper_hears_wrong_begins_and_ends_a_sentence_as_well() -> None:
    made = written_by_whisper("the sea is wide", errors=0.6)
    wrong = [line for line in made if not line.lower().startswith("the") and "wide" not in line]
    assert len(wrong) > 20
    assert np.mean([line[0].isupper() for line in wrong]) > 0.7
    assert np.mean([line[-1] in ".?" for line in wrong]) > 0.8


def test_whisper_writes_a_pronoun_that_it_hears_as_sentences_have_it() -> None:
    words = " ".join(written_by_whisper("by and my eye, high in it", errors=0.6)).split()
    assert words.count("I") > 10
    assert not {"i", "i'm", "i'll"} & {*words}


@pytest.mark.parametrize("style", ["classic", "whisper"])
def test_texts_differ_in_how_often_they_are_wrong_as_counted(style) -> None:
    """Of words far from each other, both are wrong more often than each by itself would be."""
    text = " ".join(["so the sea was wide and the boat was old"] * 3)
    made = perturb.apply([text] * 3000, f"asr:style={style},errors=0.2", id=range(3000))
    counts = [len(wrong) for _, wrong in wrong_words(made)]
    spread = read_json("noise", "asr.json" if style == "classic" else "whisper.json")["spread"]
    assert np.mean(counts) / 30 == pytest.approx(0.2, abs=0.02)
    # Beside the spread of texts there is that of runs of errors, of some 1.5 words.
    alone = 1.5 / np.mean(counts)
    assert np.var(counts) / np.mean(counts) ** 2 == pytest.approx(spread**2 + alone, rel=0.35)


def test_a_style_that_can_not_be() -> None:
    with pytest.raises(perturb.UsageError, match="'modern' or 'whisper'; got 'loud'"):
        perturb.apply("a", "asr:style=loud")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("12 men paid $4.50, 10% of 12,235.", "Twelve men paid four dollars and fifty cents, "
         "ten percent of twelve thousand two hundred thirty-five."),
        ("It is 5:10. 1.5 miles in 2020", "It is five ten. One point five miles in twenty twenty"),
        ("the 3rd of May, 1,000 of them", "the third of May, one thousand of them"),
        ("x=5, 2-3 of them, a 5-mile run, 1/12, B2",) * 2,
        ("1 1/2 cups, 2/5 of 3/4 lb", "One and one half cups, two fifths of three quarters pound"),
        ("12 kg at 20 °C, 1 km/h; 5 mg/day", "Twelve kilograms at twenty degrees celsius, "
         "one kilometer per hour; five milligrams per day"),
        ("20 € or 1€ of $2,000.50", "Twenty euros or one euro of two thousand dollars and fifty "
         "cents"),
        ("$5/day or $.20, $0.01, $280k, 25k", "Five dollars per day or twenty cents, one cent, "
         "two hundred eighty thousand dollars, twenty-five thousand"),
        ("At 7:30PM in the 1960s, 6s", "At seven thirty pm in the nineteen sixties, sixes"),
        ("78's, 78 of 3/4, 3 kg, 3 of 1960 and 1960's", "Seventy-eights, seventy-eight of three "
         "quarters, three kilograms, three of nineteen sixty and nineteen sixties"),
        ("call 918.916.7184 by 1/2/2020",) * 2,
    ],
)  # fmt: skip
def test_numbers_as_they_are_said(before, after):
    assert perturb.apply(before, "number_format:to=speech", p=1.0).text == after


@pytest.mark.parametrize("style", ["classic", "modern", "whisper"])
def test_a_text_changes_in_the_same_way_whichever_others_do(style) -> None:
    """Few texts are looked at by themselves; some have nothing that changes for sure."""
    others = (
        "так?|so it is||?|Ça va? Où est-il?|I\u2019m in|X|a\r\n|See www.big.org/A/b|www.big.org"
    )
    others += "|/usr/Lib/x is it?|5|Naïve\u0301 1st|'"
    texts = [*QUESTIONS, *others.split("|")]
    step, ids = f"asr:style={style}", list(range(len(texts)))
    every = perturb.apply(texts, step, p=1.0, id=ids, protect="word:See")
    for p in (0.02, 0.2, 0.5):
        some = perturb.apply(texts, step, p=p, id=ids, protect="word:See")
        assert any(record.edits for record in some)
        for one, other in zip(some, every, strict=True):
            assert one.status in {other.status, "drew zero"}
            assert not one.edits or one.edits == other.edits
            assert other.edits or one.status == other.status


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("What is 16 - 3?", "what is sixteen minus three"),
        ("Compute 5 * 3 / (2 − x).", "compute five times three divided by two minus x"),
        ("Is x <= -5 and y > 2?", "is x less than or equal to minus five and y greater than two"),
        (
            "Evaluate f(-2) = x^2 + 5!",
            "evaluate f minus two equals x to the power of two plus five",
        ),
        ("They won 3 - 2 on 2024-03-05.", "they won three two on twenty twenty-four-three-five"),
        ("<b>No</b> - 5 men", "b no b five men"),
    ],
)
def test_signs_of_formulas_are_said(before, after):
    assert str(perturb.apply(before, "asr:errors=0", p=1.0)) == after
