"""The tone of requests, distractions, and other places and times."""

import pytest
import regex

import perturb
from perturb.resources import read_rows


@pytest.mark.parametrize(
    ("text", "style", "wanted"),
    [
        ("Write a poem. It should rhyme.", "question", "(Could|Can|Would) you (please )?write a poem\\? It should rhyme."),
        ("It rains! List the names", "question", "It rains! (Could|Can|Would) you (please )?list the names"),
        ("Could you please explain how rain forms?", "command", "Explain how rain forms."),
        ("Can you swim in it? Will you tell me?", "command", "Swim in it. Will you tell me\\?"),
        ("WRITE A POEM.", "question", "(COULD|CAN|WOULD) YOU (PLEASE )?WRITE A POEM\\?"),
        ("What is 2 + 2?", "question", "What is 2 \\+ 2\\?"),
    ],
)  # fmt: skip
def test_commands_and_questions(text, style, wanted):
    assert regex.fullmatch(
        wanted, str(perturb.apply(text, perturb.steps.instruction_style(p=1, style=style)))
    )


@pytest.mark.parametrize(
    "style", ["polite", "persona", "casual", "formal", "urgent", "encouraging", "rude"]
)
def test_a_style_goes_before_or_behind_a_text(style):
    text = " What is 2 + 2?\n"
    rows = {
        (place, one)
        for own, place, one in read_rows("english", "instruction_styles.tsv")
        if own == style
    }
    seen = set()
    for record in perturb.apply(
        [text] * 60, perturb.steps.instruction_style(p=1, style=style), id=list(range(60))
    ):
        (edit,) = record.edits
        place = "after" if edit.start > 1 else "before"
        assert edit.text == (
            f" {edit.text.strip()}" if place == "after" else f"{edit.text.strip()} "
        )
        seen.add((place, edit.text.strip()))
    assert seen == rows


def test_nothing_goes_behind_a_colon():
    texts = ["Question: 2 + 2?\nAnswer:"] * 60
    for record in perturb.apply(texts, "instruction_style", p=1, id=list(range(60))):
        assert record.text.endswith(" Question: 2 + 2?\nAnswer:")


def test_a_heading_keeps_its_line():
    texts = ["# Task\nWrite a poem about a bus."] * 60
    for record in perturb.apply(texts, "instruction_style", p=1, id=list(range(60))):
        assert "\n# Task\n" in "\n" + record.text


def test_no_random_style_is_rude():
    rude = [
        text for style, _, text in read_rows("english", "instruction_styles.tsv") if style == "rude"
    ]
    made = perturb.apply(["Sing a song."] * 200, "instruction_style", p=1, id=list(range(200)))
    assert not any(one in record.text for one in rude for record in made)


def test_numbers_that_distract():
    text = "It was Monday. Janet has nine eggs and Tom has two. How many have they?"
    for record in perturb.apply([text] * 40, "distractor", p=1, id=list(range(40))):
        (edit,) = record.edits
        assert record.original[edit.start :] == "How many have they?"
        assert regex.fullmatch(r"(?=.*\bJanet\b)[A-Z].*\d.*\. ", edit.text)
    assert str(perturb.apply("She sang.", "distractor", p=1)).startswith("She sang. ")
    assert str(perturb.apply("She sang.\nSong:", "distractor", p=1)).endswith(".\nSong:")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Pick: A) whale B) shark", r"Pick: A\) whale B\) shark C\) [a-z ']+"),
        ("Pick:\nA. Whale.\nB. Shark.\nAnswer:", r"Pick:\nA\. Whale\.\nB\. Shark\.\nC\. [A-Z][a-z ']+\.\nAnswer:"),
        ("Pick:\n(1) one\n(2) two", r"Pick:\n\(1\) one\n\(2\) two\n\(3\) [a-z ']+"),
        ("Pick:\nA. Whale.\nB. None of the above.", r"Pick:\nA\. Whale\.\nB\. None of the above\."),
    ],
)  # fmt: skip
def test_an_option_more(text, wanted):
    assert regex.fullmatch(wanted, str(perturb.apply(text, "distractor:kind=option", p=1)))


def test_tautologies():
    made = perturb.apply(["It rains.\n"] * 30, "distractor:kind=tautology", p=1, id=list(range(30)))
    assert {record.text[8:-2].split(" and ")[1] for record in made} == {
        "true is true",
        "false is not true",
    }
    made = perturb.apply("Q: Why?\nA:", "distractor:kind=tautology", p=1).text
    assert regex.fullmatch(r"Q: Why and .* true\?\nA:", made)


def test_places_and_times():
    text = "Ann flew from Paris to Rome on Monday; Paris's sky was grey. She likes Mondays in June."
    kinds = {name: kind for kind, name, _ in read_rows("english", "entities.tsv")}
    for record in perturb.apply([text] * 50, "entity_swap", p=1, id=list(range(50))):
        pairs = {(record.original[e.start : e.end], e.text) for e in record.edits}
        assert len(record.edits) == 6
        assert len(pairs) == len({new for _, new in pairs}) == 4
        assert not {old for old, _ in pairs} & {new for _, new in pairs}
        assert all(kinds[old] == kinds[new] for old, new in pairs)


@pytest.mark.parametrize(
    "text",
    [
        "Paris Hilton met her in Paris.",
        "The Bank of China is a London bus stop.",
        "They may march. On March 3 and May 12 it rained. May I?",
        "rome, ROME, New York Times",
    ],
)
def test_no_places(text):
    assert perturb.apply(text, "entity_swap", p=1).text == text


def test_one_kind_of_places():
    text = "From Paris in France on Monday in June."
    for kind, old in (
        ("city", "Paris"),
        ("country", "France"),
        ("weekday", "Monday"),
        ("month", "June"),
    ):
        record = perturb.apply(text, perturb.steps.entity_swap(p=1, kind=kind))
        assert [record.original[e.start : e.end] for e in record.edits] == [old]
