"""Slips of shift, the wrong layout, and the table of keys that both read."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all
from taken import all_of, reason

import perturb
from perturb.resources import read_rows

KEYS = {name: (plain, shifted) for name, plain, shifted in read_rows("keys", "keys.tsv")}


@pytest.mark.parametrize(
    ("spec", "before", "after"),
    [
        ("layout_swap:layout=ru,active=us,digits=true", "привет", "ghbdtn"),
        ("layout_swap:layout=us,active=ru,digits=true", "ghbdtn", "привет"),
        ("layout_swap:layout=ru,active=us,digits=true", "Привет, мир! Ёж.", "Ghbdtn? vbh! ~;/"),
        ("layout_swap:layout=us,active=ru,digits=true", "Rf;lsq 'nj pyftn.", "Каждый это знаетю"),
        ("layout_swap:layout=us,active=fr,digits=true", "lazy Quiz, 12", "lqwy Auiw; &é"),
        ("layout_swap:layout=fr,active=us,digits=true", "lqwy Auiw; &é", "lazy Quiz, 12"),
        ("layout_swap:layout=us,active=de,digits=true", "lazy yaks; (no) [x]", "layz zaksö )no= üx+"),
        ("layout_swap:layout=de,active=us,digits=true", "Übung größer", "{bung gr;-er"),
        ("layout_swap:layout=th,active=us,digits=true", "สวัสดี", "l;ylfu"),
        ("layout_swap:layout=us,active=th,digits=true", "l;ylfu", "สวัสดี"),
        ("layout_swap:layout=il,active=us,digits=true", "שלום", "akuo"),
        ("layout_swap:layout=in,active=us,digits=true", "हिन्दी", "ufvdor"),
        ("layout_swap:layout=dvorak,active=us,digits=true", "the", "kjd"),
        ("layout_swap:digits=true", "Привет, lazy мир! שלום", "Ghbdtn? lqwy vbh! akuo"),
        ("layout_swap:digits=true", "สวัสดี हिन्दी", "l;ylfu ufvdor"),
        ("layout_swap:active=de,digits=true", "lazy привет", "layz ghbdtn"),
        ("layout_swap:layout=fr,digits=true", "lqwy", "lazy"),
        ("shift_slip:mode=missed,digits=true", "Hello!", "hello1"),
        ("shift_slip:mode=held", "Hello!", "HEllo!"),
        ("shift_slip", "Hello! No?", "hEllo! nO/"),
        ("shift_slip:digits=true", "Hello!", "hEllo1"),
        ("shift_slip", "Он, Да!", "оН, дА!"),
        ("shift_slip", "$5 (or 10%) \"no\"", "$5 (or 10%) 'No'"),
        ("shift_slip:mode=held,digits=true", "$5 (or 10%) \"no\"", "$% (Or 10%) \"No\""),
        ("shift_slip:mode=missed,digits=true", "$5 (or 10%) \"no\" A_b", "45 9or 1050 'no' a-b"),
        ("shift_slip:mode=held,digits=true", "USA, A b, A1 A. É5", "USA< A b, A! A> É5"),
        ("shift_slip:layout=de,mode=missed", "Straße? Ü", "straßeß ü"),
        ("shift_slip:layout=fr,mode=missed,digits=true", "10 Oui", "&à oui"),
        ("shift_slip:mode=missed", "Is 7 + 5 > x at 12:30?", "is 7 + 5 > x at 12:30/"),
        ("shift_slip:mode=missed,digits=true", "7 + 5", "7 = 5"),
        ("shift_slip:layout=ru,digits=true", "Он, Да!", "оН. дА1"),
    ],
)  # fmt: skip
def test_what_is_written(spec, before, after):
    assert all_of(spec, before) == after


def test_runs_are_changed_as_wholes():
    one = perturb.apply("a\tq  don't\nx é", "layout_swap:layout=us,active=fr", p=1.0)
    assert [one.original[edit.start : edit.end] for edit in one.edits] == ["a", "q", "don't"]
    assert (one.text, one.units) == ("q\ta  donùt\nx é", 3)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        *(("layout_swap", text) for text in ("敏捷的棕色狐狸", "приvет", "x", "cliché don’t")),
        *(("shift_slip", text) for text in ("नमस्ते दुनिया", "สวัสดี", "مرحبا بالعالم")),
        *(("shift_slip", text) for text in ("敏捷的棕色狐狸", "plain text.", "É5")),
    ],
)
def test_what_can_not_be_typed_otherwise_is_no_site(spec, text):
    assert reason(spec, text) == "no site"


def walked_swap(text, layout, active):
    """Runs between white space, character by character."""
    keys = {}
    for meant, got in zip("".join(KEYS[layout]), "".join(KEYS[active]), strict=True):
        if meant != " " and got != " ":
            keys.setdefault(meant, got)
    made, run = "", ""
    for char in text + "\n":
        if char in " \n":
            typed = all(each in keys for each in run)
            made += "".join(keys[each] for each in run) if typed else run
            made += char
            run = ""
        else:
            run += char
    return made[:-1]


@given(
    st.sampled_from(sorted(KEYS)),
    st.sampled_from(sorted(KEYS)),
    st.text("abYZ,.;'19 \nйцяЫ.éü", max_size=20),
)
@settings(derandomize=True, max_examples=of_all(60))
def test_layout_swap_against_a_slow_walk(layout, active, text):
    if layout != active:
        made = all_of(f"layout_swap:layout={layout},active={active},digits=true", text)
        assert made == walked_swap(text, layout, active)


def test_shift_slip_writes_no_marks():
    """Where shift makes a mark or two letters of one, as on the Arabic layout, that is no slip."""
    assert all_of("shift_slip:layout=ara,mode=held,digits=true", "!ض !ف !غ") == "!ض !ف !إ"


@pytest.mark.parametrize("spec", ["shift_slip:layout=qwerty", "layout_swap:active=qwerty",
                                  "layout_swap:layout=qwerty"])  # fmt: skip
def test_unknown_layout(spec):
    with pytest.raises(perturb.UsageError, match="keyboard layout 'qwerty'"):
        perturb.apply([], spec)


def test_a_layout_swapped_for_itself():
    with pytest.raises(perturb.UsageError, match="layout and active are both 'fr'"):
        perturb.apply([], "layout_swap:layout=fr,active=fr")


LANGUAGES = {
    "de": "Die Punkte über der Straße sind nicht größer als die anderen, aber schöner.",
    "fr": "Les élèves ne sont pas dans la forêt, mais ils étaient à la maison.",
    "se": "Och det är inte så många som har varit här, men de är på väg.",
    "cz": "To je velmi důležité, ale není to všechno, co jsme měli.",
}


@pytest.mark.parametrize("step", ["keyboard_typos", "human_typos", "shift_slip"])
@pytest.mark.parametrize("layout", LANGUAGES)
def test_a_text_is_typed_on_the_keyboard_of_its_language(step, layout):
    """As if that keyboard were given, alone and among texts that are typed on others."""
    text = LANGUAGES[layout]
    others = ["The café is in Málaga, and Müller is here.", "plain", "привет мир", text]
    many = [one.text for one in perturb.apply(others, step, p=0.4, seed=3)]
    assert many == [perturb.apply(one, step, p=0.4, seed=3).text for one in others]
    assert many[-1] == perturb.apply(text, f"{step}:layout={layout}", p=0.4, seed=3).text
    assert many[0] == perturb.apply(others[0], f"{step}:layout=us", p=0.4, seed=3).text


def test_a_language_that_is_typed_on_us_keys():
    text = "De kinderen zijn niet naar één huis gegaan, maar wij hebben het gezien."
    made = perturb.apply(text, "keyboard_typos", p=0.4).text
    assert made == perturb.apply(text, "keyboard_typos:layout=us", p=0.4).text


def test_a_key_beside_changes_one_part_of_a_korean_syllable():
    text = "나는 학교에 갔다."
    record = perturb.apply(text, "keyboard_typos", p=1)
    assert [(edit.start, len(edit.text)) for edit in record.edits] == [
        (place, 1) for place, letter in enumerate(text) if letter not in " ."
    ]
    for edit in record.edits:
        before, after = (unicodedata.normalize("NFD", one) for one in (text[edit.start], edit.text))
        assert len(before) == len(after)
        assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    assert perturb.verify(record)
    # ㅐ and ㅔ lie beside each other; letters that are no syllable stay.
    assert "네" in {
        perturb.apply("내", "keyboard_typos", p=1, seed=seed).text for seed in range(40)
    }
    assert perturb.apply("ㅋㅋ ㅠㅠ", "keyboard_typos", p=1).status == "no site"


def test_the_table_of_keys():
    near = {file.stem for file in perturb.resources.path("keyboards").glob("*.tsv")}
    assert set(KEYS) == near
    for name, levels in KEYS.items():
        assert [len(level) for level in levels] == [50, 50]
        typed = set("".join(levels)) - {" "}
        # The table of neighbours has the same characters, but for marks and lonely keys.
        assert {char for char, _ in read_rows("keyboards", f"{name}.tsv")} <= typed
        assert levels[0].count(" ") < 10


def test_tables_stay_tables():
    table = "| a | bc |\n|---|:---:|\n| --- | --- |\n| cell | x-y |\n"
    for seed in range(20):
        rows = perturb.apply(table, "keyboard_typos:p=1", seed=seed).text.split("\n")
        assert [row.count("|") for row in rows] == [3, 3, 3, 3, 0]
        assert rows[1:3] == ["|---|:---:|", "| --- | --- |"]
        assert "cell" not in rows[3]
    many = perturb.apply([table, "a-b -- c"], "keyboard_typos:p=1", id=["1", "2"])
    assert [one.text for one in many] == [
        perturb.apply(text, "keyboard_typos:p=1", id=key).text
        for text, key in ((table, "1"), ("a-b -- c", "2"))
    ]
