"""What holds for every registered perturbator on text as people have it: protection, and labels."""

import pytest
from ways import WAYS

import perturb
from perturb.engine.scope import place_in

# Texts with what must come through, in order, as a caller would list it by hand.
PROTECTED = [
    (
        "Dear {name}, your 12 eggs cost $3.50; we can't pay them. See https://shop.example/a?b=1&c={x} "
        "or run `eggs = lay(16)` today, {{user.first}}.",
        [
            *("{name}", "12", "$3.50", "https://shop.example/a?b=1&c={x}"),
            *("`eggs = lay(16)`", "{{user.first}}"),
        ],
    ),
    (
        "Question: how many colours does {n} have?\nA. 7, as in ${rainbow}\nB. none at all\n"
        "C. see www.colour.example\nD. 1,000\nAnswer: B",
        ["{n}", "7", "${rainbow}", "www.colour.example", "1,000"],
    ),
    (
        "Q: {a}?\nA: it is so\n\nQ: why?\nA: because of %s\n\nQ: who?\nA: he is\n\n"
        "```\nfor y in lazy:\n    zap(y)\n```\nQ: 2.5 %(kind)s?\nA:",
        ["{a}", "%s", "```\nfor y in lazy:\n    zap(y)\n```", "2.5", "%(kind)s"],
    ),
    (
        "Über {größe} läuft 1 Weg, см. http://пример.рф/x и `код`: 价格 {价}, 3.50元 👩‍👩‍👧 {👩‍👩‍👧}",
        ["{größe}", "1", "http://пример.рф/x", "`код`", "{价}", "3.50", "{👩‍👩‍👧}"],
    ),
]


@pytest.mark.parametrize("spec", WAYS)
@pytest.mark.parametrize("number", range(len(PROTECTED)))
def test_what_is_protected_survives(spec, number, in_full):
    """N seeded runs a perturbator and text: every protected piece is there, in order, and linked."""
    runs = 10_000 // len(PROTECTED) if in_full else 40
    text, parts = PROTECTED[number]
    places, at = [], 0
    for part in parts:
        at = text.index(part, at)
        places.append((at, at + len(part)))
        at += len(part)
    for p in (0.1, 1.0):
        records = perturb.apply(
            [text] * (runs // 2),
            spec,
            p=p,
            seed=number,
            id=list(range(runs // 2)),
            protect=["placeholder", "url", "code", "number"],
        )
        for record in records:
            at = 0
            for part, place in zip(parts, places, strict=True):
                at = record.text.index(part, at) + len(part)
                start, end = record.project(*place)
                assert record.text[start:end] == part, (spec, record.text)


ARTICLE = (
    "Dr. Ann O'Neil, who can't stand colour films, flew from New York to Zürich on 12 May 2021. "
    "Her sister's e-mail said: “I've got 2 tickets for you” - but as far as I know, Lazy Lizard Inc. "
    "hadn't sold any.\n\nQuestion: Who flew?\nA. Ann O'Neil\nB. Lazy Lizard Inc.\nC. New York\n"
    "D. none of the above\nAnswer: A\n\nQuestion: Where to?\n(A) Zürich (B) 東京 (C) Łódź\nAnswer: A\n\n"
    "Question: What's 👩‍👩‍👧?\nAnswer:"
)
ENTITIES = [
    *(
        "Dr. Ann O'Neil",
        "New York",
        "Zürich",
        "12 May 2021",
        "May",
        "I've got",
        "2",
        "Lazy Lizard Inc.",
    ),
    *("Who flew?\nA. Ann O'Neil\nB. Lazy Lizard", "D. none", "東京 (C) Łódź", "👩‍👩‍👧", ""),
]
SPANS = [(ARTICLE.index(entity), ARTICLE.index(entity) + len(entity)) for entity in ENTITIES]
SPANS += [(0, len(ARTICLE)), (len(ARTICLE), len(ARTICLE)), (3, 3)]


def moved(edits, start, end):
    """A span moved through the edits one by one, from the last; and whether one touched it."""
    touched = False
    for low, high, new, removed in reversed(edits):
        growth = len(new) - (high - low)
        if high <= start:
            start, end = start + growth, end + growth
        elif (
            low < end
            and low <= start <= end <= high
            and end - start < high - low
            and (place := place_in(removed, new, start - low, end - low)) >= 0
        ):
            start, end = low + place, low + place + end - start
        elif low < end:
            touched = True
            end = end + growth if high <= end else low + len(new)
            start = min(start, low)
    return (start, end), touched


@pytest.mark.parametrize("spec", WAYS)
def test_labels_are_carried_as_by_hand(spec, examples):
    """Every policy agrees with a walk over the edits."""
    for seed in range(max(3, examples // 5)):
        settings = {"p": (0.05, 0.3, 1.0)[seed % 3], "seed": seed, "spans": SPANS}
        record = perturb.apply(ARTICLE, spec, **settings)
        wanted = [moved(record.edits, *span) for span in SPANS]
        assert record.spans == tuple(span for span, _ in wanted)
        assert [record.project(*span) for span in SPANS] == [span for span, _ in wanted]
        dropped = perturb.apply(ARTICLE, spec, **settings, span_policy="drop")
        assert dropped.spans == tuple(None if touched else span for span, touched in wanted)
        for span, (now, touched) in zip(SPANS, wanted, strict=True):
            assert touched or record.text[slice(*now)] == ARTICLE[slice(*span)]
        if any(touched for _, touched in wanted):
            with pytest.raises(perturb.DataError, match="an edit touches a span"):
                perturb.apply(ARTICLE, spec, **settings, span_policy="refuse")


@pytest.mark.parametrize("spec", WAYS)
def test_labels_are_carried_through_one_step_after_another(spec, examples):
    """Two steps move a span as the second does what the first made of it."""
    # Not twice the same name: the second of a name draws other numbers than the first.
    before = "char_swap:p=0.05" if spec.startswith("char_insert") else "char_insert:p=0.05"
    after = str(perturb.Pipeline.of(spec, p=0.3))
    for seed in range(max(3, examples // 5)):
        first = perturb.apply(ARTICLE, before, seed=seed, id=seed)
        second = perturb.apply(first.text, after, seed=seed, id=seed)
        both = perturb.apply(ARTICLE, [before, after], seed=seed, id=seed, spans=SPANS)
        assert both.text == second.text
        halfway = [moved(first.edits, *span)[0] for span in SPANS]
        assert both.spans == tuple(moved(second.edits, *span)[0] for span in halfway)
