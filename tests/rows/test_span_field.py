"""Labelled spans in the forms that users have: moved with the text, or refused, never wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.errors import DataError
from perturb.plan.parts import SpanSource
from perturb.rows.span_field import owners_of
from perturb.rows.target_field import share_lists

TEXT = "Ada Lovelace was born in London in 1815."
SPANS = [(0, 12, "PER"), (25, 31, "LOC")]


def perturbed(row, steps="keyboard_typos:p=0.3 char_insert:p=0.1", **settings):
    given = {"field": "text", "spans": "labels", "seed": 3, **settings}
    (made,) = perturb.augment([row], steps, **given)
    return made


def moved():
    """The spans as the record has them."""
    return perturb.apply(
        TEXT, "keyboard_typos:p=0.3 char_insert:p=0.1", seed=3, spans=[s[:2] for s in SPANS]
    ).spans


@pytest.mark.parametrize(
    "names", [("start", "end"), ("start_char", "end_char"), ("start_offset", "end_offset")]
)
def test_objects_by_any_name(names) -> None:
    labels = [{names[0]: a, names[1]: b, "label": kind} for a, b, kind in SPANS]
    made = perturbed({"text": TEXT, "labels": labels})
    assert made["labels"] == [
        {names[0]: a, names[1]: b, "label": kind}
        for (a, b), (_, _, kind) in zip(moved(), SPANS, strict=True)
    ]


def test_pairs_and_pairs_with_a_label() -> None:
    made = perturbed({"text": TEXT, "labels": [list(SPANS[0]), list(SPANS[1][:2])]})
    (a, b), (c, d) = moved()
    assert made["labels"] == [[a, b, "PER"], [c, d]]


def test_entities_of_hugging_face() -> None:
    """`word` is what stands there now, whatever case the model gave it; the rest stays."""
    labels = [
        {"entity_group": kind, "score": 0.99, "word": TEXT[a:b].lower(), "start": a, "end": b}
        for a, b, kind in SPANS
    ]
    made = perturbed({"text": TEXT, "labels": labels})
    assert made["text"] != TEXT
    for label, old in zip(made["labels"], labels, strict=True):
        assert label["word"] == made["text"][label["start"] : label["end"]]
        assert (label["entity_group"], label["score"]) == (old["entity_group"], 0.99)


@pytest.mark.parametrize("policy", ["grow", "drop"])
def test_answers_of_squad(policy) -> None:
    """As lists side by side, and as a list of objects."""
    columns = {"text": [TEXT[a:b] for a, b, _ in SPANS], "answer_start": [a for a, *_ in SPANS]}
    row = {"text": TEXT, "labels": columns, "question": "Where?"}
    made = perturbed(row, span_policy=policy)["labels"]
    text = perturbed(row)["text"]
    assert set(made) == {"text", "answer_start"}
    assert len(made["text"]) == (2 if policy == "grow" else 0)
    for start, answer in zip(made["answer_start"], made["text"], strict=True):
        assert text[start : start + len(answer)] == answer
    rows = [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
    again = perturbed({"text": TEXT, "labels": rows}, span_policy=policy)["labels"]
    assert again == [
        dict(zip(made, values, strict=True)) for values in zip(*made.values(), strict=True)
    ]


def test_no_answer_stays_none() -> None:
    none = {"text": [], "answer_start": []}
    assert perturbed({"text": TEXT, "labels": none})["labels"] == none


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([{"start": 0, "end": 3, "text": "Bob"}], "says that its text is 'Bob', but at 0 to 3 sta"),
        ({"text": ["London"], "answer_start": [24]}, "at 24 to 30 stands ' Londo'"),
        ({"text": ["London"], "answer_start": []}, "differ in length"),
        ({"text": "London", "answer_start": [25]}, "must be an object of lists"),
        ({"text": "London", "answer_start": 24}, "at 24 to 30 stands ' Londo'"),
        ([0, 3], "Tags of tokens need the list of tokens"),
        ([[0, 300]], "does not lie in its text"),
        ([{"from": 0, "to": 3}], "a span is written"),
        ("PER", "must be a list of spans"),
    ],
)
def test_what_is_wrong_is_said(labels, message) -> None:
    with pytest.raises(perturb.DataError, match=message):
        perturbed({"text": TEXT, "labels": labels})


TOKENS = TEXT[:-1].split()
TAGS = ["B-PER", "I-PER", "O", "O", "O", "B-LOC", "O", "O"]


@pytest.mark.parametrize("tags", [TAGS, [1, 2, 0, 0, 0, 5, 0, 0]])
def test_tags_stay_with_their_tokens(tags) -> None:
    made = perturbed({"tokens": TOKENS, "labels": tags}, field="tokens")
    assert made["labels"] == tags
    assert len(made["tokens"]) == len(tags)
    assert made["tokens"] != TOKENS


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("word_swap:p=1.0", "word_swap may move words"),
        ("char_delete:p=1.0", "a token is left empty"),
    ],
)
def test_tags_that_can_not_be_kept_are_refused(steps, message) -> None:
    with pytest.raises(perturb.DataError, match=f"the tags in 'labels' .*{message}"):
        perturbed({"tokens": [*TOKENS, "Ada B"], "labels": [*TAGS, "O"]}, steps, field="tokens")


def test_a_step_that_says_nothing_may_move_words() -> None:
    """Reversed tokens are as many, but none has its tag."""
    turned = perturb.from_function("turned", lambda text: "\n".join(text.split("\n")[::-1]))
    with pytest.raises(perturb.DataError, match="turned may move words"):
        perturbed({"tokens": TOKENS, "labels": TAGS}, turned, p=1.0, field="tokens")
    same = perturb.from_function("same", str)
    made = perturbed({"tokens": TOKENS, "labels": TAGS}, same, p=1.0, field="tokens")
    assert (made["tokens"], made["labels"]) == (TOKENS, TAGS)


def test_other_numbers_of_tags_are_refused() -> None:
    with pytest.raises(perturb.DataError, match="7 tags for 8 tokens"):
        perturbed({"tokens": TOKENS, "labels": TAGS[:-1]}, field="tokens")


@pytest.mark.slow
@given(
    st.integers(0, 2**32), st.sampled_from(["typo_mix", "char_delete", "char_repeat", "whitespace"])
)
def test_a_label_is_never_beside_its_token(seed, step) -> None:
    """Each token keeps its place: it is nearer to its own original than to its neighbours'."""
    tokens = ["kkkkkkkk", "ssssssss", "xxxxxxxx"]
    made = perturbed(
        {"tokens": tokens, "labels": [0, 1, 2]}, step, p=0.2, seed=seed, field="tokens"
    )
    for token, old in zip(made["tokens"], tokens, strict=True):
        assert max("ksx", key=token.count) == old[0]


STORY = "Ann paid Bob. Ann left for London. Bob stayed in Rome."
PLACES = [(0, 3), (9, 12), (14, 17), (27, 33), (35, 38), (0, 13), (0, len(STORY))]


@pytest.mark.parametrize("step", ["sentence_shuffle", "word_shuffle", "word_swap"])
def test_spans_move_with_their_text(step) -> None:
    """Ann of the first sentence and Ann of the second each stay in theirs."""
    for seed in range(9):
        row = {"text": STORY, "labels": [[*span] for span in PLACES]}
        made = perturbed(row, step, seed=seed, p=1)
        assert made["text"] != STORY
        kept = [made["text"][a:b] for a, b in made["labels"][:5]]
        assert kept == [STORY[a:b] for a, b in PLACES[:5]]
        assert made["labels"][-1] == [0, len(STORY)]
        if step == "sentence_shuffle":
            assert made["perturbation"]["expect"] == "mapped" or kept
            assert made["text"][made["labels"][2][0] :].startswith("Ann left")
        assert perturb.verify(made)


def test_a_text_written_again_has_no_place_for_its_spans() -> None:
    """The row stays; without a span, with one of all of it, or with `drop`, it changes."""
    row = {"text": STORY, "labels": [[0, 3]]}
    made = perturbed(row, "encode")
    assert (made["text"], made["perturbation"]["status"]) == (STORY, "no site")
    assert perturbed(row, "encode", span_policy="drop")["labels"] == []
    made = perturbed({"text": STORY, "labels": [[0, len(STORY)]]}, "encode")
    assert made["labels"] == [[0, len(made["text"])]]


LOCATIONS = st.lists(st.sampled_from(["a", "b", 0, 1, 2]), max_size=4).map(tuple)


@given(st.lists(LOCATIONS, max_size=6), LOCATIONS)
def test_spans_are_of_the_text_that_shares_their_lists(places, location):
    """Found in one step, it is the one that each text asked alone gives."""
    own = [number for number, place in enumerate(places) if share_lists(place, location)]
    owner = owners_of(SpanSource("spans"), places)
    if len(own) == 1:
        assert owner(location) == own[0]
    else:
        with pytest.raises(DataError, match="may be of" if own else "have no text"):
            owner(location)
