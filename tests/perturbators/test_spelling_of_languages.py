"""Letters and capitals as German, Greek, Turkish and Arabic have them."""

import pytest
import regex
from taken import all_of

import perturb


def test_german_letters_are_spelled_in_two():
    before = "Äpfel, ÄPFEL, Größe, GROẞE, Öl, Ærø, Åse, Straße, é"
    after = "Aepfel, AEPFEL, Groesse, GROSSE, Oel, Aeroe, Aase, Strasse, é"
    assert all_of("strip_diacritics:style=spelled", before) == after


@pytest.mark.parametrize(
    ("style", "before", "after"),
    [
        ("upper", "Yılda bir diye, ışık", "YILDA BİR DİYE, IŞIK"),
        ("lower", "EMİLİR IŞIK", "emilir ışık"),
        ("title", "ılık istanbul", "Ilık İstanbul"),
        ("upper", "In Niğde she was ill.", "IN NİĞDE SHE WAS ILL."),
        ("lower", "IT IS IN ISPARTA AND IĞDIR.", "it is in isparta and ığdır."),
        ("upper", "Έλα, ένας", "ΕΛΑ, ΕΝΑΣ"),
        ("upper", "Μαΐου, προϊόν", "ΜΑΪΟΥ, ΠΡΟΪΟΝ"),
        ("lower", "ΕΝΑΣ ΣΟΦΟΣ", "ενας σοφος"),
        ("title", "έλα", "Έλα"),
        ("upper", "Die Straße, 5 µm, i", "DIE STRASSE, 5 µM, I"),
    ],
)
def test_case_by_language(style, before, after):
    assert all_of(f"case:style={style}", before) == after


@pytest.mark.parametrize(
    "step", ["keyboard_typos", "human_typos", "shift_slip", "layout_swap:layout=ara,active=us"]
)
def test_no_presentation_forms(step):
    text = "السلام عليكم ورحمة الله وبركاته؛ هذا نص لا بأس به، أو إلى آخره" * 10
    for seed in range(20):
        assert not regex.search(
            "[\\uFE70-\\uFEFF]", perturb.apply(text, step, p=0.5, seed=seed).text
        )
