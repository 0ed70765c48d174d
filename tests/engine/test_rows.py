"""The texts of a row, which consistent steps see as one, against each row joined and cut by hand."""

import re
from itertools import chain, islice

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sizes import of_all

import perturb
from perturb import Pipeline
from perturb.engine.run import Rows, run
from perturb.engine.scope import Scope, Spans
from perturb.engine.step import CHANGED, NO_SITE, NOT_TAKEN, REASONS
from perturb.engine.text.strings import GAP, Strings
from perturb.records.ids import record_keys
from perturb.registry.definition import CHARACTERS
from perturb.registry.making import build_perturbator

SWAPS = ("name_swap", "gender_swap", "entity_swap")


def made(name, find):
    facts = {"unit": "character", "summary": "A probe.", "label_risk": "low", "source": "own"}
    return build_perturbator(
        name, find, version=1, intensities=CHARACTERS, consistent=True, **facts
    )


# Each text is a row's part: plain sites of a share, and insertions beside the borders of texts.
DROPPED = made("dropped", lambda batch: batch.sites_where("aeiou"))
INSERTED = made(
    "inserted", lambda batch: batch.sites_where("aeT\n.", lambda chosen: chosen.texts, inserts=True)
)

words = st.sampled_from(
    [
        *("Tom", "Janet", "Mrs. Olson", "Tom Olson", "Tom's", "Rose", "she", "his sister", "her"),
        *("Paris", "in June", "on Monday", "New", "York", "May", "told", "saw", "and", "é", "👍🏽"),
        *(". ", ", ", "\n", "\n\n", "\r", "\r\n", "\0", "?", "http://a.b/c", "`code`"),
    ]
)
texts = st.lists(words, max_size=9).map(" ".join) | st.lists(words, max_size=4).map("".join)


@st.composite
def rows(draw):
    """Rows of some texts; each text with spans to protect, to restrict to, and to carry."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        row = []
        for text in draw(st.lists(texts, min_size=1, max_size=4)):
            span = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted).map(tuple)
            row.append((text, *(draw(st.lists(span, max_size=2)) for _ in range(3))))
        found.append(row)
    return found


def performed(table, pipeline, follow=lambda place: place > 1, seed=0, only=False):
    """Run a pipeline over rows of texts with their spans; texts from the third on are followers."""
    flat = [text for row in table for text in row]
    source = Strings.of_texts([text for text, *_ in flat])
    places = np.array([place for row in table for place in range(len(row))])
    keys, own = (record_keys(list(ids(table)), None) for ids in (text_ids, row_ids))
    protect, within, carried = (Spans.of(source, [text[n] for text in flat]) for n in (1, 2, 3))
    outcome = run(
        source,
        keys,
        Pipeline.of(pipeline).stages(seed, 0),
        Scope(protect, within if only else None),
        carried,
        # Those behind follow freely, as options do; answers are led.
        rows=Rows(places == 0, own, np.where(follow(places), -1, 0), follow(places)),
    )
    return outcome, outcome.texts([text for text, *_ in flat])


def text_ids(table):
    return (f"{n}" + f":{place}" * (place > 0) for n, row in enumerate(table) for place in range(len(row)))  # fmt: skip


def row_ids(table):
    return (f"{n}" for n, row in enumerate(table) for _ in row)


def joined(row):
    """The text of a row, where its texts start in it, and its three lists of spans."""
    starts = np.cumsum([0, *(len(text) + len(GAP) for text, *_ in row)]).tolist()
    spans = [
        [(a + start, b + start) for start, text in zip(starts, row, strict=False) for a, b in text[n]]
        for n in (1, 2, 3)
    ]  # fmt: skip
    return GAP.join(text for text, *_ in row), starts, spans


def gaps(starts):
    return [(start - len(GAP), start) for start in starts[1:-1]]


@pytest.mark.slow
@settings(max_examples=of_all(300), deadline=None)
@given(
    rows(),
    st.sampled_from(
        [
            *SWAPS,
            " ".join(SWAPS),
            "one_of(name_swap | gender_swap | entity_swap)",
            "sometimes(0.5, name_swap) entity_swap",
            [DROPPED],
            [INSERTED],
        ]
    ),
    st.booleans(),
    st.integers(0, 50),
)
@example([[("Tom saw", [], [], []), ("Tom told", [], [], [(0, 3)]), ("", [], [], [])]], "name_swap", False, 1)  # fmt: skip
@example([[("a\r", [], [], []), ("\ne", [], [], [])]], [DROPPED], False, 0)
def test_consistent_steps_see_one_text(table, pipeline, only, seed) -> None:
    """Texts, edits, reasons, counts and spans are those of the joined text, cut again."""
    strength = {"p": 0.5} if isinstance(pipeline, list) else {}
    pipeline = Pipeline.of(pipeline, **strength) if strength else pipeline
    outcome, after = performed(table, pipeline, seed=seed, only=only)
    starts_of, ends_of, written, _ = outcome.edit_columns()
    last = outcome.edit_ends()
    at = carried = 0
    for number, row in enumerate(table):
        text, starts, (protect, within, spans) = joined(row)
        limits = {"only": within} if only else {}
        record = perturb.apply(
            text,
            pipeline,
            seed=seed,
            id=str(number),
            protect=[*protect, *gaps(starts)],
            spans=spans,
            **limits,
        )
        here = slice(at, at + len(row))
        assert GAP.join(after[here]) == record.text
        first = 0 if at == 0 else last[at - 1]
        mine = list(zip(starts_of, ends_of, written, strict=True))[first : last[here][-1]]
        counts = np.diff([first, *last[here]])
        moved = np.repeat(starts[:-1], counts).tolist()
        found = [(a + m, b + m, new) for (a, b, new), m in zip(mine, moved, strict=True)]
        assert found == [(edit.start, edit.end, edit.text) for edit in record.edits]
        reasons = [REASONS[reason] for reason in outcome.reasons[here]]
        if record.edits:
            assert [reason == "" for reason in reasons] == (counts > 0).tolist()
        else:
            assert set(reasons) == {record.status}
        taken = [tally for tally in outcome.tallies if tally.reasons[at] != NOT_TAKEN]
        assert all((tally.reasons[here] != NOT_TAKEN).all() for tally in taken)
        for tally, step in zip(taken, record.steps, strict=True):
            for name in ("units", "sites", "edits"):
                own = getattr(tally, name)[here].tolist()
                assert own == [getattr(step, name), *[0] * (len(row) - 1)]
        base = np.cumsum([0, *(len(one) + len(GAP) for one in after[here])])
        lie = np.repeat(np.arange(len(row)), [len(one[3]) for one in row])
        shift = base[lie] - outcome.result.starts[here][lie]
        part = slice(carried, carried + len(spans))
        moved_spans = zip(
            (outcome.spans.starts[part] + shift).tolist(),
            (outcome.spans.ends[part] + shift).tolist(),
            strict=True,
        )
        assert list(moved_spans) == [record.project(*span) for span in spans]
        at, carried = at + len(row), carried + len(spans)


def by_hand(row, number, steps, seed):
    """Do each step to the row's texts by the way of one text, one after the other."""
    now = [text for text, *_ in row]
    for step in steps:
        if Pipeline.of(step).steps[0].consistent:
            _, starts, _ = joined([(text,) + ([],) * 3 for text in now])
            record = perturb.apply(
                GAP.join(now), step, seed=seed, id=str(number), protect=gaps(starts)
            )
            # A gap ends a text and begins the next.
            inner = [place for gap in gaps(starts) for place in record.project(*gap)]
            edges = [0, *inner, len(record.text)]
            now = [record.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
        else:
            for place in range(min(2, len(now))):
                own = f"{number}" + f":{place}" * (place > 0)
                now[place] = perturb.apply(now[place], step, seed=seed, id=own).text
    return now


@pytest.mark.slow
@settings(max_examples=of_all(150), deadline=None)
@given(
    rows(),
    st.permutations([*SWAPS, "keyboard_typos:p=0.2", "whitespace:p=0.3", "case:p=0.3"]),
    st.integers(2, 4),
    st.integers(0, 50),
)
def test_steps_of_both_kinds_follow_each_other(table, steps, count, seed) -> None:
    """Each step of one text has the text's key and leaves followers; a consistent one the row's."""
    table = [[(text, [], [], []) for text, *_ in row] for row in table]
    _, after = performed(table, steps[:count], seed=seed)
    wanted = [by_hand(row, n, steps[:count], seed) for n, row in enumerate(table)]
    assert after == [text for row in wanted for text in row]


@pytest.mark.slow
@settings(max_examples=of_all(100), deadline=None)
@given(
    st.lists(texts, max_size=5),
    st.sampled_from([*SWAPS, "one_of(case | name_swap) ocr:p=0.2 entity_swap", "ocr:p=0.2"]),
)
def test_rows_of_one_text_change_nothing(batch, pipeline) -> None:
    """Where each row is one text with its own key, every array is what it is without rows."""
    source = Strings.of_texts(batch)
    keys = record_keys([str(n) for n in range(len(batch))], None)
    stages = Pipeline.of(pipeline).stages(0, 0)
    heads = np.ones(len(batch), np.bool_)
    alone, rowed = (
        run(source, keys, stages, Scope(), rows=rows) for rows in (None, Rows(heads, keys))
    )
    assert alone.texts(batch) == rowed.texts(batch)
    assert alone.edit_columns() == rowed.edit_columns()
    assert alone.reasons.tolist() == rowed.reasons.tolist()
    for one, other in zip(alone.tallies, rowed.tallies, strict=True):
        for name in ("units", "closed", "sites", "edits", "saturated", "reasons"):
            assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_a_gate_opens_to_a_whole_row() -> None:
    """All texts of a row take a branch or none does; some rows take each."""
    table = [[("Tom saw Rome.", [], [], [])] * 3 for _ in range(40)]
    outcome, _ = performed(table, "one_of(keyboard_typos:p=0.5 | name_swap)")
    typed, swapped = (
        (tally.reasons != NOT_TAKEN).reshape(40, 3).tolist() for tally in outcome.tallies
    )
    assert {(*one, *other) for one, other in zip(typed, swapped, strict=True)} == {
        (True, True, False, False, False, False),
        (False, False, False, True, True, True),
    }


def test_followers_count_for_nothing_where_they_stay() -> None:
    outcome, after = performed([[("Tom ran.", [], [], [])] * 3], "punctuation:p=1 name_swap")
    noise, swap = outcome.tallies
    assert (noise.units[2], noise.reasons[2]) == (0, NOT_TAKEN)
    assert (swap.units.tolist(), swap.edits.tolist()) == ([1, 0, 0], [1, 0, 0])
    assert after[2].endswith(" ran.")
    assert after[2] != "Tom ran."


def test_a_right_answer_alone_is_no_site() -> None:
    outcome, after = performed(
        [[("It rained.", [], [], [])] * 2 + [("Tom", [], [], [])]], "name_swap"
    )
    assert after == ["It rained.", "It rained.", "Tom"]
    assert outcome.reasons.tolist() == [NO_SITE] * 3
    assert (outcome.tallies[0].edits.sum(), outcome.tallies[0].sites.sum()) == (0, 0)


def test_a_text_of_a_changed_row_says_that_it_had_no_site() -> None:
    outcome, _ = performed([[("Tom ran.", [], [], []), ("It rained.", [], [], [])]], "name_swap")
    assert outcome.reasons.tolist() == [CHANGED, NO_SITE]


def test_a_protected_name_keeps_its_row() -> None:
    """What changes together does so in all texts of a row, or in none."""
    table = [[("Tom ran.", [], [], []), ("Why did Tom run?", [(8, 11)], [], [])]]
    outcome, after = performed(table, "name_swap")
    assert after == ["Tom ran.", "Why did Tom run?"]
    assert {REASONS[reason] for reason in outcome.reasons} == {"protected"}


PEOPLE = ("Tom", "Janet", "Kevin", "Laura", "Brian", "Susan")
CITIES = ("Paris", "Rome", "Berlin", "Madrid", "Cairo")
DAYS = ("Monday", "Tuesday", "Friday", "Sunday")


@pytest.mark.parametrize("step", SWAPS)
def test_question_passage_and_answer_agree(step) -> None:
    """Whoever or whatever a question asks for stands in its passage, and the answer is what is there."""
    table = []
    for n in range(200):
        person, other = PEOPLE[n % 6], PEOPLE[(n + 1 + n // 6 % 5) % 6]
        city, day = CITIES[n % 5], DAYS[n % 4]
        passage = (
            f"The friends met {other} in {city} on {day}. Then {person} and {other} went home, "
            f"since {person} was tired. It rained in {city}."
        )
        question = f"Where did the friends meet {other}, and who was tired on {day} in {city}?"
        answer = (person, city, f"on {day}")[n % 3]
        span = (passage.index(answer), passage.index(answer) + len(answer))
        table.append([(question, [], [], []), (passage, [], [], [span]), (answer, [], [], [])])
    outcome, after = performed(table, step, seed=3)
    pairs: list[set[tuple[str, str]]] = []
    edits = zip(*outcome.edit_columns(), strict=True)
    for (text, *_), count in zip(chain(*table), np.diff([0, *outcome.edit_ends()]), strict=True):
        pairs.append({(text[start:end], new) for start, end, new, _ in islice(edits, count)})
    moved = outcome.spans.starts - outcome.result.starts[1::3]
    ends = outcome.spans.ends - outcome.result.starts[1::3]
    for n, row in enumerate(table):
        asked, told, answered = pairs[3 * n : 3 * n + 3]
        assert asked
        assert asked | answered <= told
        assert len({old for old, _ in told}) == len({new for _, new in told}) == len(told)
        assert after[3 * n + 1][moved[n] : ends[n]] == after[3 * n + 2]
        for old, _ in told:
            assert not any(re.search(rf"\b{old}\b", text) for text in after[3 * n : 3 * n + 3])
        assert bool(answered) is any(old in row[2][0] for old, _ in told)
