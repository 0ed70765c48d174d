"""The search for the worst case, on systems of which the worst is known."""

import orjson
import pytest

import perturb
from perturb.errors import UsageError
from perturb.evaluation import worst_case
from perturb.values.spans import rebuild

TEXT = "How many large brown eggs are left in the basket after breakfast on Sunday morning?"
WORDS = TEXT.split()


def share_of_words(text):
    """The share of the words that are still there: each edit in a new word lowers it."""
    return sum(word in text for word in WORDS) / len(WORDS)


def reads(word):
    """A system that answers 16 while it can read a word."""
    return lambda text: 16 if word in text else None


def test_a_word_that_decides_is_found_with_one_edit():
    """At p = 0.05 four characters go; 30 replicates miss the four of a word with p < 0.002."""
    for word in ("eggs", "large", "Sunday"):
        worst = worst_case(reads(word), TEXT, "char_delete", budget=80, p=0.05)
        assert worst.status == "minimal"
        assert (worst.score, worst.original_score, worst.answer) == (0.0, 1.0, None)
        (edit,) = worst.edits
        assert TEXT.index(word) <= edit.start < TEXT.index(word) + len(word)
        assert worst.text == rebuild(TEXT, worst.edits)


@pytest.mark.slow
def test_edits_of_replicates_are_combined_to_what_none_of_them_reached():
    """No replicate spoils as many words as it has edits; together they do, with no more edits."""
    most = max(
        len(perturb.apply(TEXT, "char_delete", p=0.05, replicate=at).edits) for at in range(100)
    )
    drawn = min(
        share_of_words(perturb.apply(TEXT, "char_delete", p=0.05, replicate=at).text)
        for at in range(20)
    )
    worst = worst_case(share_of_words, TEXT, "char_delete", 200, score=float, p=0.05)
    assert worst.status == "minimal"
    assert worst.score == (len(WORDS) - most) / len(WORDS) < drawn
    assert len(worst.edits) == most


@pytest.mark.parametrize("budget", [2, 3, 7, 20, 60])
def test_the_budget_is_kept_and_no_text_asked_twice(budget):
    asked = []
    worst = worst_case(
        lambda text: asked.append(text) or share_of_words(text),
        TEXT,
        "char_swap",
        budget,
        score=float,
        p=0.1,
    )
    assert len(asked) == len(set(asked)) == worst.calls <= budget
    assert worst.score == min(map(share_of_words, asked))
    assert asked[0] == TEXT


def test_a_larger_budget_finds_nothing_better_than_it_is_worse():
    scores = [
        worst_case(share_of_words, TEXT, "char_swap", budget, score=float, p=0.05).score
        for budget in (2, 4, 8)
    ]
    assert scores == sorted(scores, reverse=True)


def test_nothing_lower():
    """A system that is never fooled is asked until the budget is spent."""
    worst = worst_case(lambda _: "16", TEXT, "char_delete", budget=12, p=0.1)
    assert worst == ("not lower", TEXT, (), 1.0, 1.0, "16", 12)


@pytest.mark.slow
def test_where_nothing_can_be_drawn_it_ends():
    worst = worst_case(len, TEXT, "char_delete", budget=1000, p=0.0)
    assert (worst.status, worst.calls) == ("not lower", 1)


@pytest.mark.slow
def test_it_goes_on_from_known_answers_to_the_same_end():
    """Interrupted at any budget and saved as JSON, the search ends as in one go."""
    whole = worst_case(share_of_words, TEXT, "char_delete", 90, score=float, seed=5, p=0.05)
    for first in (2, 10, 45, 89):
        answers = {}
        begun = worst_case(
            share_of_words, TEXT, "char_delete", first, score=float, seed=5, answers=answers, p=0.05
        )
        assert begun.calls == len(answers) <= first
        saved = orjson.loads(orjson.dumps(answers))
        rest = worst_case(
            share_of_words, TEXT, "char_delete", 90, score=float, seed=5, answers=saved, p=0.05
        )
        assert rest[:-1] == whole[:-1]
        assert begun.calls + rest.calls >= whole.calls
    again = worst_case(
        share_of_words, TEXT, "char_delete", 90, score=float, seed=5, answers=saved, p=0.05
    )
    assert again == (*whole[:-1], 0)


def test_the_seed_decides():
    found = {
        worst_case(reads("eggs"), TEXT, "char_delete", 60, seed=s, p=0.05).text for s in range(6)
    }
    assert len(found) > 1


def test_a_floor_of_ones_own():
    """Bad enough at 0.9: the search drops edits and looks for nothing lower."""
    worst = worst_case(share_of_words, TEXT, "char_delete", 100, score=float, floor=0.9, p=0.1)
    assert worst.status == "minimal"
    assert 0.8 < worst.score <= 0.9
    assert len(worst.edits) == 2


def test_settings_reach_the_front_door():
    worst = worst_case(reads("eggs"), TEXT, "char_delete", 40, p=0.1, protect=["word:eggs"])
    assert worst.status == "not lower"
    with pytest.raises(UsageError, match="unknown perturbator"):
        worst_case(len, TEXT, "char_delet", 10)
    with pytest.raises(UsageError, match="budget must be at least 2"):
        worst_case(len, TEXT, "char_delete", 1)


def test_insertions_at_one_place_are_never_put_together():
    """Whichever of two came first would be an accident."""
    worst = worst_case(
        lambda text: -len(text), "ab", "char_insert", 60, score=float, floor=-99, p=0.9
    )
    starts = [edit.start for edit in worst.edits]
    assert len(starts) == len(set(starts))
