"""Delta debugging against scripted systems and against every subset."""

import random
from collections import Counter
from functools import partial
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.errors import UsageError
from perturb.evaluation import minimal_edits
from perturb.evaluation.search.minimal_edits import _fewest_flips, at_once, ddmin
from perturb.values.spans import rebuild

TEXT = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def record():
    """Of a text in which ten letters are deleted; an edit is known by its place."""
    return perturb.apply(TEXT, "char_delete:count=10", seed=3)


def without(text):
    """The letters that are gone."""
    return set(TEXT) - set(text)


def gone(record):
    """The letter of each edit."""
    return [record.original[edit.start] for edit in record.edits]


def test_a_single_cause_is_found_alone(record):
    for edit, letter in zip(record.edits, gone(record), strict=True):
        found = minimal_edits(lambda text, letter=letter: letter in text, record)
        assert found[:3] == ("minimal", (edit,), TEXT.replace(letter, ""))
        assert (found.original_answer, found.answer) == (True, False)


def test_a_conjunction_of_two_edits_is_found_whole(record):
    for two in combinations(range(10), 2):
        wanted = {gone(record)[at] for at in two}
        found = minimal_edits(lambda text, wanted=wanted: wanted <= without(text), record)
        assert found.status == "minimal"
        assert found.edits == tuple(record.edits[at] for at in two)


@pytest.mark.parametrize("repeats", [1, 3, 7])
def test_only_what_decides_is_asked_again_and_calls_are_counted(record, repeats):
    """The original, the perturbed text, and the one that is found, again after the search."""
    asked = Counter()

    def system(text):
        asked[text] += 1
        return set(gone(record)[2:7:2]) <= without(text)

    found = minimal_edits(system, record, repeats=repeats)
    assert (found.calls, found.repeats) == (asked.total(), repeats)
    assert (found.flips, found.original_flips) == (repeats, 0)
    again = {text for text, count in asked.items() if count > 1}
    assert again == ({record.original, record.text, found.text} if repeats > 1 else set())
    assert found.calls == len(asked) + 3 * (repeats - 1) + (repeats > 1)
    assert list(asked)[:2] == [record.original, record.text]


@pytest.mark.slow
@pytest.mark.parametrize("right", [0.5, 0.6, 0.75, 0.9])
@pytest.mark.parametrize("repeats", [3, 5, 8])
def test_nothing_is_minimal_that_a_coin_explains(record, right, repeats):
    """Of 2,000 calls at most 5 % and 2.4 standard errors; three answers in place of two as well."""
    rng = random.Random(7)
    for answers in ((True, False), (1, 2, 3)):
        weights = [right, *[(1 - right) / (len(answers) - 1)] * (len(answers) - 1)]
        calls = [
            minimal_edits(lambda _: rng.choices(answers, weights)[0], record, repeats=repeats)  # noqa: B023
            for _ in range(1000)
        ]
        assert sum(call.status == "minimal" for call in calls) <= 66
        assert all(call.edits == () for call in calls if call.status != "minimal")


@pytest.mark.slow
def test_a_part_that_flipped_by_chance_in_the_search_is_not_told(record):
    """Two edits together flip, all else in 30 %: 40 % of the sets that were told lacked one."""
    rng, causes = random.Random(5), {*gone(record)[2:5:2]}
    calls = [
        minimal_edits(lambda text: causes <= without(text) or rng.random() < 0.3, record)
        for _ in range(400)
    ]
    told = [call.text for call in calls if call.status == "minimal"]
    assert len(told) > 50
    assert sum(not causes <= without(text) for text in told) <= 0.1 * len(told)


@pytest.mark.slow
def test_a_system_that_varies_is_explained_with_more_repeats(record):
    """Right in 95 %, in 5 % after one edit. Of 200: 8 repeats find that edit alone in 8 of 10."""
    rng, edit = random.Random(3), record.edits[4]
    letter = record.original[edit.start]

    def found(repeats):
        calls = [
            minimal_edits(
                lambda text: rng.random() < (0.95 if letter in text else 0.05),
                record,
                repeats=repeats,
            )
            for _ in range(200)
        ]
        return sum(call.edits == (edit,) for call in calls)

    assert found(8) > 160
    assert found(8) > found(3)


@pytest.mark.parametrize(("repeats", "least"), [(1, 1), (3, 3), (5, 4), (12, 5)])
def test_the_flips_that_are_asked_for_are_the_fewest(repeats, least):
    """Against all outcomes, one by one, of a system in which a share of the answers flips."""

    def chance(share, least):
        return sum(
            share ** sum((*after, *before))
            * (1 - share) ** (2 * repeats - 1 - sum((*after, *before)))
            for after in product((0, 1), repeat=repeats)
            for before in product((0, 1), repeat=repeats - 1)
            if sum(after) - sum(before) >= least
        )

    assert _fewest_flips(repeats) == least
    shares = [at / 20 for at in range(21)]
    if 3 <= repeats <= 5:
        assert max(chance(share, least) for share in shares) <= 0.05
        assert max(chance(share, least - 1) for share in shares) > 0.05


def test_a_flip_that_does_not_come_back_is_none(record):
    answers = iter([1, 2, 1, 1])
    found = minimal_edits(lambda _: next(answers), record)
    assert (found.status, found.edits, found.text, found.calls) == ("varies", (), TEXT, 3)
    with pytest.raises(UsageError, match="repeats must be at least 1; got 0"):
        minimal_edits(len, record, repeats=0)


def test_no_flip(record):
    found = minimal_edits(lambda _: "same", record)
    assert found == ("no flip", (), TEXT, "same", "same", 2, 3, 0, 0)


def test_an_unchanged_record_is_asked_once():
    record = perturb.apply(TEXT, "char_delete", p=0.0)
    assert minimal_edits(len, record) == ("no flip", (), TEXT, 26, 26, 1, 3, 0, 0)


@pytest.mark.parametrize("budget", range(2, 40))
def test_whatever_the_budget_the_edits_flip_and_it_is_kept(record, budget):
    wanted = set(gone(record)[::4])
    ask = partial(minimal_edits, lambda text: wanted <= without(text), record, repeats=1)
    found = ask(budget=budget)
    assert found.calls <= budget
    assert wanted <= without(found.text)
    assert found.text == rebuild(TEXT, found.edits)
    assert found.answer is True
    whole = ask()
    assert (found.status == "minimal") == (budget >= whole.calls)
    if found.status != "minimal":
        assert found.status == "budget spent"
    else:
        assert found == whole


def test_the_smallest_budget(record):
    assert minimal_edits(len, record, budget=2).edits == record.edits
    with pytest.raises(UsageError, match=r"budget must be at least 2, .* got 1"):
        minimal_edits(len, record, budget=1)


def test_what_a_flip_is_can_be_said(record):
    """Counted letters change with every edit, but here only a loss of three is a flip."""
    found = minimal_edits(len, record, flips=lambda before, after: before - after >= 3)
    assert (found.status, len(found.edits), found.answer) == ("minimal", 3, 23)


def test_an_error_of_the_system_is_the_callers(record):
    with pytest.raises(ZeroDivisionError):
        minimal_edits(lambda text: 1 // (len(text) - 16), record)


@pytest.mark.slow
@given(data=st.data(), size=st.integers(1, 7))
def test_against_all_subsets_for_any_system(data, size):
    """The system is any table over the subsets of the edits, monotone or not."""
    record = perturb.apply(TEXT, f"char_delete:count={size}", seed=1)
    subsets = [s for n in range(size + 1) for s in combinations(record.edits, n)]
    table = data.draw(st.lists(st.booleans(), min_size=len(subsets), max_size=len(subsets)))
    answers = {
        rebuild(TEXT, edits): flip for edits, flip in zip(subsets, [False, *table[1:]], strict=True)
    }
    flipping = {edits for edits in subsets if answers[rebuild(TEXT, edits)]}
    found = minimal_edits(answers.__getitem__, record)
    if record.edits not in flipping:
        assert (found.status, found.edits) == ("no flip", ())
        return
    minimal = {
        edits
        for edits in flipping
        if not any(tuple(e for e in edits if e != left) in flipping for left in edits)
    }
    assert found.status == "minimal"
    assert found.edits in minimal
    assert found.calls <= 2**size + 7


def smallest_part(items, holds):
    """The last part that delta debugging yields for a test."""

    async def last(test):
        part = items
        async for smaller in ddmin(items, test):
            part = smaller
        return part

    return at_once(last, holds)


@pytest.mark.slow
@given(causes=st.lists(st.sets(st.integers(0, 6), min_size=1), min_size=1))
def test_for_monotone_systems_no_part_of_what_is_found_flips(causes):
    """A system that fails where any of some sets of items is whole: one of the smallest is found."""
    found = smallest_part(range(7), lambda items: any(c <= set(items) for c in causes))
    smallest = [c for c in causes if not any(other < c for other in causes)]
    assert set(found) in smallest


@pytest.mark.parametrize("count", [2, 3, 8, 31, 100])
def test_a_single_cause_takes_about_two_tests_a_halving(count):
    for cause in (0, count // 2, count - 1):
        tests = []

        def holds(items, cause=cause, tests=tests):
            tests.append(items)
            return cause in items

        assert list(smallest_part(range(count), holds)) == [cause]
        assert len(tests) <= 2 * count.bit_length() + 1
