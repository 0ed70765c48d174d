"""Options in every form, with answers in every form: the right one stays right, or it's refused."""

import json
from itertools import cycle

import pytest

import perturb

TEXTS = ["red", "blue\n\nof the sky", "none of it, dear", "5"]
LETTERS, DIGITS = "ABCDEF", "123456"


def by_list(texts, labels):
    return {"c": texts}


def by_labelled_list(texts, labels):
    return {"c": [f"{label}. {text}" for label, text in zip(labels, texts, strict=False)]}


def by_object(texts, labels):
    return {"c": dict(zip(labels, texts, strict=False))}


def by_objects(texts, labels):
    pairs = zip(labels, texts, strict=False)
    return {"c": [{"label": label, "text": text} for label, text in pairs]}


def by_lists_beside(texts, labels):
    return {"c": {"text": texts, "label": [*labels[: len(texts)]]}}


def by_fields(texts, labels):
    pairs = zip(labels, texts, strict=False)
    return {f"option{label}": text for label, text in pairs}


def by_text(texts, labels):
    lines = (f"{label}) {text}" for label, text in zip(labels, texts, strict=False))
    return {"q": "\n".join(["Which?", *lines])}


def field_of(*options):
    return {"choices": [*options]}


# How options are laid out, their labels, and what names them in a call.
SETS = {
    "list": (by_list, LETTERS, field_of("c")),
    "list from 1": (by_list, DIGITS, field_of("1=c")),
    "list from 0": (by_list, "0123456", field_of("0=c")),
    "labelled list": (by_labelled_list, LETTERS, field_of("c")),
    "list as a field": (by_list, LETTERS, {"field": "c"}),
    "labelled list as a field": (by_labelled_list, LETTERS, {"field": "c"}),
    "object": (by_object, LETTERS, field_of("c")),
    "object by numbers": (by_object, DIGITS, field_of("c")),
    "objects": (by_objects, LETTERS, field_of("c[*].text")),
    "objects by numbers": (by_objects, DIGITS, field_of("c[*].text")),
    "lists beside": (by_lists_beside, LETTERS, field_of("c.text")),
    "lists beside by numbers": (by_lists_beside, DIGITS, field_of("c.text")),
    "fields": (by_fields, LETTERS, field_of(*(f"option{label}" for label in LETTERS[:4]))),
    "fields by numbers": (by_fields, DIGITS, field_of(*(f"option{one}" for one in DIGITS[:4]))),
    "text": (by_text, LETTERS, {"field": "q"}),
    "text by numbers": (by_text, DIGITS, {"field": "q"}),
}
ANSWERS = {
    "label": lambda place, texts, labels: labels[place],
    "label in brackets": lambda place, texts, labels: f"({labels[place]})",
    "small label": lambda place, texts, labels: f"{labels[place].lower()}.",
    "number": lambda place, texts, labels: place,
    "digits": lambda place, texts, labels: str(place),
    "text": lambda place, texts, labels: texts[place],
    "label and text": lambda place, texts, labels: f"{labels[place]}. {texts[place]}",
    "labels": lambda place, texts, labels: [labels[place], labels[(place + 1) % 4]],
    "numbers": lambda place, texts, labels: [place],
    "texts": lambda place, texts, labels: [texts[place]],
    "flags": lambda place, texts, labels: [int(at == place) for at in range(len(texts))],
    "true and false": lambda place, texts, labels: [at == place for at in range(len(texts))],
}
STEPS = [
    ["option_shuffle"],
    ["option_shuffle:mode=rotate"],
    ["option_shuffle:keep_last=1"],
    ["option_labels"],
    ["distractor:kind=option,p=1"],
    ["option_shuffle", "distractor:kind=option,p=1"],
    ["distractor:kind=option,p=1", "option_shuffle"],
    ["option_shuffle", "option_labels"],
]


def options_of(row, form):
    """Return the labels and the texts of a row, read without the code that is tested."""
    if form == "text" or form.startswith("text "):
        lines = row["q"].split("\n")[1:]
        pairs = [line.split(" ", 1) for line in lines]
        return [label.strip("()[].") for label, _ in pairs], [text for _, text in pairs]
    if "labelled" in form:
        pairs = [item.split(" ", 1) for item in row["c"]]
        return [label.strip("()[].") for label, _ in pairs], [text for _, text in pairs]
    if form.startswith("fields"):
        named = {key: value for key, value in row.items() if key.startswith("option")}
        return [key[-1] for key in named], [*named.values()]
    held = row["c"]
    if "beside" in form:
        return held["label"], held["text"]
    if isinstance(held, dict):
        return [*held], [*held.values()]
    if isinstance(held[0], dict):
        return [each["label"] for each in held], [each["text"] for each in held]
    return [*SETS[form][1][: len(held)]], held


def named_by(answer, way, row, form, texts):
    """Return the texts that an answer names, read as its way says."""
    labels, now = options_of(row, form)
    folded = [label.lower() for label in labels]
    if way in ("flags", "true and false"):
        assert len(answer) == len(now)
        return [text for flag, text in zip(answer, now, strict=True) if flag]
    if isinstance(answer, list):
        each = {"labels": "label", "numbers": "number", "texts": "text"}[way]
        return [text for one in answer for text in named_by(one, each, row, form, texts)]
    if way == "text":
        return [answer.split(" ", 1)[1] if "labelled" in form and answer not in now else answer]
    if way in ("number", "digits"):
        if way == "digits" and "by numbers" in form:
            return named_by(answer, "label", row, form, texts)
        place, from_1 = int(answer), form == "list from 1"
        return [now[place - from_1]]
    label, _, rest = str(answer).partition(" ")
    text = now[folded.index(label.strip("().[]").lower())]
    assert rest in ("", text)
    return [text]


@pytest.mark.slow
@pytest.mark.parametrize("steps", STEPS, ids=" ".join)
@pytest.mark.parametrize("form", SETS)
def test_the_right_answer_stays_right_or_is_refused(form, steps):
    """Every set with every answer; a refusal names the row, and leaves nothing half done."""
    build, labels, call = SETS[form]
    one_line = "as a field" in form or form.startswith("text")
    texts = [text.replace("\n", " ") for text in TEXTS] if one_line else TEXTS
    kept = {}
    for way, place in zip(ANSWERS, cycle((0, 3))):
        answer = ANSWERS[way](place, texts, labels)
        if way in ("number", "digits") and form == "list from 1":
            answer = type(answer)(place + 1)
        if way == "digits" and "by numbers" in form:
            answer = labels[place]
        if way == "numbers" and form == "list from 1":
            answer = [place + 1]
        row = {"id": "q", **build(texts, labels), "a": answer}
        wanted = named_by(answer, way, row, form, texts)
        try:
            made = list(perturb.augment([row], steps, target="a", replicates=3, **call))
        except perturb.DataError:
            kept.setdefault(way, []).append(False)
            continue
        kept.setdefault(way, []).append(True)
        for each in made:
            assert perturb.restored(each) == row
            assert perturb.verify(each)
            after = json.loads(json.dumps(each))
            status = after.pop("perturbation")["status"]
            if status != "changed":
                assert {**after, "id": "q"} == row
            assert sorted(named_by(after["a"], way, after, form, texts)) == sorted(wanted)
    no_place = "distractor:kind=option,p=1" in steps and (
        form.startswith(("fields", "objects", "lists beside"))
    )
    # Only further options without a place for them are refused.
    assert no_place or all(all(done) for done in kept.values()), kept


CHOICES = {"choices": "c", "target": "a"}


def made_of(row, steps="option_shuffle", **options):
    (made,) = perturb.augment([{"id": "q", **row}], steps, **{**CHOICES, **options})
    return made


@pytest.mark.parametrize(
    ("given", "fixed"), [("tie", "tie"), (None, "null"), (-1, "-1"), ("", ""), (["tie"], '["tie"]')]
)
def test_an_answer_that_is_no_option_stays(given, fixed):
    row = {"c": ["red", "blue"], "a": given}
    assert made_of(row, fixed=[fixed, "other"]) | {"c": 0} == made_of(row, fixed=fixed) | {
        "c": 0,
        "perturbation": made_of(row, fixed=[fixed, "other"])["perturbation"],
    }
    assert made_of(row, fixed=fixed)["a"] == given
    with pytest.raises(perturb.DataError, match="no option stays with perturb apply --fixed"):
        made_of(row)


@pytest.mark.parametrize(
    ("row", "options", "said", "advice"),
    [
        (
            {"c": [{"label": "A", "text": "red"}, {"label": "B", "text": "blue"}], "a": "B"},
            {},
            r"name the text in the objects: --choices c\[\*\]\.text",
            {"choices": "c[*].text"},
        ),
        (
            {
                "c": [{"type": "x", "of": {"n": "long", "t": text}} for text in ("a b", "red")],
                "a": 0,
            },
            {},
            r"name the text in the objects: --choices c\[\*\]\.of\.t;",
            {"choices": "c[*].of.t"},
        ),
        (
            {"c": "Which?\nA. red\nB. blue", "a": "B"},
            {},
            "options with labels in a text need only --field c",
            {"choices": (), "field": "c"},
        ),
        (
            {"c": ["red", "sky\nblue"], "a": "B"},
            {"choices": (), "field": "c"},
            "the options of a question as --choices c",
            {"choices": "c"},
        ),
        (
            {"c": [{"t": "red"}, {"t": "blue"}], "a": 1},
            {"choices": (), "field": "c"},
            r"such as c\[\*\]\.t, with --choices",
            {"choices": "c[*].t"},
        ),
        ({"c": ["2", "0", "1"], "a": "2"}, {}, "both the number", {"choices": "0=c"}),
        ({"c": ["2", "0", "1"], "a": "2"}, {}, "both the number", {"choices": "A=c"}),
        ({"c": ["x", "y"], "a": 2}, {}, "their numbers 0 to 1", {"choices": "1=c"}),
    ],
)
def test_the_advice_of_a_refusal_works(row, options, said, advice):
    with pytest.raises(perturb.DataError, match=said):
        made_of(row, **options)
    assert made_of(row, **advice)["perturbation"]["status"] == "changed"


@pytest.mark.parametrize(
    ("row", "choices", "said"),
    [
        ({"good": "x", "bad1": "y"}, ["good", "bad1"], "named for it; copy the options to a list"),
        ({"c": {"right": "x", "wrong": "y"}}, "c", "whose names don't count up"),
        ({"c": []}, "c", "is an empty list, so nothing in it"),
        ({"c": ["x", 1]}, "c", "holds no options: options are a list of strings, an object"),
        ({"c": ["x", "y\x1e"]}, "c", "has a control character"),
        ({"c": [{"t": "x"}, {"i": 1}, {"t": "y"}]}, "c[*].t", "1 of the 3 options in 'c' have no"),
        ({"c": ["x", "y"]}, "Q=c", r"FIRST= of choices must be .* got 'Q'"),
    ],
)
def test_fields_that_hold_no_options(row, choices, said):
    with pytest.raises(perturb.DataError, match=said):
        list(perturb.augment([{"id": 1, **row}], "option_shuffle", choices=choices))


@pytest.mark.parametrize("option", ["both A and C", "the first two", "answers 1 and 2"])
def test_a_refused_row_says_so(option):
    made = made_of({"c": ["red", "blue", "green", option], "a": "B"})
    assert made["perturbation"]["status"] == "options refused"
    row = {"id": "q", "question": "Which?", "c": ["x", "x"], "a": 1}
    (made,) = perturb.augment([row], "option_shuffle", field=["question", "c"], target="a")
    assert made["perturbation"]["status"] == "options refused"


def test_options_that_may_not_move_stay():
    row = {"c": ["red", "blue", "green", "I don't know"], "a": "B"}
    for seed in range(9):
        for way in ({"steps": "option_shuffle:keep_last=1"}, {"protect": "word:I don't know"}):
            made = made_of(row, seed=seed, **way)
            assert made["c"][3] == "I don't know"
            assert made["c"]["ABCD".index(made["a"])] == "blue"


LISTED = {"q": "Sky or sea?\nA. sky\nB. blood\nC. sea", "c": ["sky", "blood", "sea"], "a": "B"}


@pytest.mark.parametrize("form", ["{}. {}", "({}) {}", "**{}.** {}"])
def test_a_question_that_lists_the_options_too_follows(form):
    lines = (form.format(*pair) for pair in zip("ABC", LISTED["c"], strict=True))
    row = {**LISTED, "q": "\n".join(["Sky or sea?", *lines]), "note": "sky, blood, sea"}
    for seed in range(9):
        made = made_of(row, seed=seed)
        lines = (form.format(*pair) for pair in zip("ABC", made["c"], strict=True))
        assert made["q"] == "\n".join(["Sky or sea?", *lines])
        assert made["note"] == row["note"]
        assert made["c"]["ABC".index(made["a"])] == "blood"
        assert perturb.restored(made) == {"id": "q", **row}
        assert perturb.verify(made)


def test_a_list_of_options_that_can_t_follow_is_refused():
    for steps, options in (("option_shuffle", {"field": "q"}), ("distractor:kind=option", {})):
        with pytest.raises(perturb.DataError, match="the field 'q' lists the options too"):
            made_of(LISTED, steps, **options)


def test_a_list_longer_than_the_alphabet_stays_and_its_answer_too():
    row = {"c": [f"number {n}" for n in range(30)], "a": 28}
    made = made_of(row)
    assert (made["c"], made["a"]) == (row["c"], 28)
    assert made_of({**row, "a": "number 29"})["a"] == "number 29"


@pytest.mark.slow
@pytest.mark.parametrize("home", ["pandas", "polars", "pyarrow"])
def test_tables_are_made_as_rows_are(home):
    """So is the column that lists the options too."""
    library = pytest.importorskip(home)
    rows = [{"id": f"q{n}", **LISTED, "a": n % 3} for n in range(6)]
    made = list(perturb.augment(rows, "option_shuffle", **CHOICES))
    table = library.Table.from_pylist(rows) if home == "pyarrow" else library.DataFrame(rows)
    out = perturb.Transform("option_shuffle", **CHOICES)(table)
    for name in ("id", "q", "a"):
        column = out[name].to_pylist() if home == "pyarrow" else list(out[name])
        assert column == [row[name] for row in made]
