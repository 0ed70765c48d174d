"""Letters are changed to letters of their own script, and texts in other scripts are left alone."""

import pytest

import perturb
from perturb.engine.text.characters import Script
from perturb.perturbators.shared.character_tables import scripts_of

TEXTS = {
    Script.CYRILLIC: "Летний театр, открытый в 1870 году, работал до 1939 года.",
    Script.GREEK: "Το θέατρο, από το 1870, λειτούργησε ως το 1939.",
    Script.HEBREW: "קראתי ספר, ואחר כך הלכתי הביתה בשנת 1999.",
    Script.ARABIC: "عمل المسرح، من 1870 إلى 1939، في المدينة.",
    Script.DEVANAGARI: "यह घर नदी के पास सन 1870 में बना था।",
    Script.THAI: "โรงละครเปิดตั้งแต่ปี 1870 ถึง 1939",
    Script.ARMENIAN: "Թատրոնը բացվել է 1870 թվականին։",
    Script.GEORGIAN: "თეატრი გაიხსნა 1870 წელს.",
}
SOLID = "剧院从1870年到1939年,票价25元。"


@pytest.mark.parametrize("script", TEXTS)
@pytest.mark.parametrize("name", ["keyboard_typos", "typo_mix:layout=auto", "char_replace"])
def test_letters_keep_their_script(name, script) -> None:
    one = perturb.apply(TEXTS[script], name, p=0.4, seed=1)
    assert one.status == "changed"
    assert scripts_of(one.text) == {script}


@pytest.mark.parametrize(
    "name", ["keyboard_typos:layout=us", "ocr", "typo_mix", "char_insert", "leetspeak"]
)
@pytest.mark.parametrize("p", [0.1, 1.0])
def test_a_script_without_a_table_is_left_alone(name, p) -> None:
    for text in [SOLID, *(TEXTS.values() if name in ("ocr", "keyboard_typos:layout=us") else ())]:
        one = perturb.apply(text, name, p=p, seed=1)
        assert (one.text, one.status) == (text, "no site")


def test_other_scripts_are_no_units() -> None:
    """A share of the Latin part, of which signs and digits are counted as open."""
    text = "привет " * 50 + "hello there my friend"
    one = perturb.apply([text] * 400, "keyboard_typos:layout=us", p=0.2, seed=1, id=range(400))
    sites = len("hellotheremyfriend")
    units = len("hello there my friend") + 50
    mean = sum(len(record.edits) for record in one) / 400
    # Rounded by chance, so exact on average: 400 draws of a share below one off by 0.1 at most.
    assert mean == pytest.approx(min(sites, 0.2 * units), abs=0.1)


def test_signs_belong_to_the_script_before_them() -> None:
    one = perturb.apply("Да, да. Yes, no.", "keyboard_typos:layout=us", p=1.0, seed=1)
    assert one.text.startswith("Да, да. ")
    assert one.text[-1] != "."


def test_auto_is_us_for_english() -> None:
    text = "The quick brown fox, by any measure, may jump over 12 lazy dogs today."
    for name in ("keyboard_typos", "shift_slip"):
        auto, us = (perturb.apply(text, f"{name}:layout={at}", p=0.5) for at in ("auto", "us"))
        assert auto.text == us.text
