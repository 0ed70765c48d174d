"""What a speech recogniser leaves."""

import pytest

import perturb


def heard(text, errors, protect=None):
    return perturb.apply(text, f"asr:errors={errors}", p=1.0, protect=protect).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Wait, Ann: he paid for 24 eggs!", "wait ann he paid for twenty-four eggs"),
        ("They're late \u2014 why?", "they're late  why"),
        ("THE DOG\u2019S bowl, \u201cyes\u201d (no)", "the dog\u2019s bowl yes (no)"),
        ("See `Code X` at www.Big.org, Ann", "see `Code X` at www.Big.org ann"),
        ("Costs $1,200 in 2019 (3.5 %).", "costs $1,200 in 2019 (3.5 %)"),
    ],
)
def test_without_errors(before, after):
    assert heard(before, errors=0.0) == after


def test_errors_are_homophones_lost_words_and_hesitations():
    text = "big son of the big house. " * 1000
    made = heard(text, errors=0.3).split()
    # N = 2000 unstressed words, errors = .3: 1400 stay, standard deviation 20.
    assert made.count("of") + made.count("the") == pytest.approx(1400, abs=100)
    # N = 1000 words that sound like another: 300 are that, standard deviation 14.
    assert made.count("sun") == pytest.approx(300, abs=70)
    # N = 3000 other words, .3 * .3: 270 expected, standard deviation 16.
    words = {"big", "son", "sun", "of", "the", "house"}
    assert sum(word not in words for word in made) == pytest.approx(270, abs=80)


def test_what_is_protected_stays_and_the_rest_changes():
    assert heard("Ann ate 24 eggs in Rome.", errors=0.0, protect="word:Rome") == (
        "ann ate twenty-four eggs in Rome"
    )
    assert perturb.apply("Ça va? Je ne sais pas où il est.", "asr", p=1.0).status == "not English"


def test_errors_that_can_not_be():
    with pytest.raises(perturb.UsageError, match=r"from 0 to 1; got 1\.5"):
        heard("a", errors=1.5)
