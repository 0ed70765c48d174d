"""Labels as people write them, and options that stand for others."""

import pytest

import perturb


@pytest.mark.parametrize(
    "text",
    [
        "Which?\n**A.** red\n**B.** blue\n**C.** sea\nAnswer: C",
        "Which?\nA．red\nB．blue\nC．sea\nAnswer: C",
        "Which?\nA、red\nB、blue\nC、sea\nAnswer: C",
        "Which?\n（A）red （B）blue （C）sea\nAnswer: C",
        "Which?\nA.red\nB.blue\nC.sea\nAnswer: C",
        "Which?\nOption A: red\nOption B: blue\nOption C: sea\nAnswer: C",
        "Which?\n① red\n② blue\n③ sea\nAnswer: ③",
        "Which?①red②blue③sea\nAnswer: ③",
        "Which?\nA.\nred\nB.\nblue\nC.\nsea\nAnswer: C",
        "Which?\n- **(A)** red\n- **(B)** blue\n- **(C)** sea\nAnswer: C",
    ],
)
def test_labels_as_people_write_them(text):
    """They stay, the options move, the answer follows, and other labels can take their place."""
    for seed in range(5):
        moved = perturb.apply(text, "option_shuffle", seed=seed)
        assert moved.status == "changed"
        kept = ["red", "blue", "sea"]
        order = sorted(kept, key=moved.text.index)
        blank = str.maketrans("", "", "redblusa")
        assert moved.text.rpartition("\n")[0].translate(blank) == (
            text.rpartition("\n")[0].translate(blank)
        )
        label = moved.text.rpartition("Answer: ")[2]
        assert ("ABC①②③".index(label)) % 3 == order.index("sea")
        assert perturb.apply(text, "option_labels", seed=seed).status == "changed"


@pytest.mark.parametrize("text", ["1.5\n2.5\n3.5", "A.\nB.\nC.\n", "A.B. Smith\nC.D. Jones"])
def test_what_only_looks_like_labels(text):
    for step in ("option_shuffle", "option_labels"):
        assert perturb.apply(text, step).text == text


LAST = """All of the above|Alle oben genannten|Alle Antworten sind richtig|Keine der obigen Antworten
Toutes les réponses ci-dessus|Tout ce qui précède|Aucune de ces réponses|Todas las anteriores
Ninguna de las anteriores|Todas las respuestas son correctas|Tutte le precedenti|Nessuna delle risposte
Todas as anteriores|Nenhuma das alternativas|Alle bovenstaande|Geen van de bovenstaande antwoorden
Wszystkie powyższe|Żadna z powyższych|Все вышеперечисленное|Ни один из вариантов|以上都是|以上都不对
上記のすべて|いずれでもない|위의 모두|해당 없음|उपरोक्त सभी|इनमें से कोई नहीं"""


@pytest.mark.parametrize("last", LAST.replace("\n", "|").split("|"))
def test_what_stands_for_others_in_eleven_languages_stays_last(last):
    """Elsewhere than at the end the question is refused."""
    for seed in range(5):
        lines = ["red", "blue", "green", last]
        moved = perturb.apply("\n".join(lines), "option_shuffle:form=lines", seed=seed)
        assert (moved.text.split("\n")[3], moved.status) == (last, "changed")
    inside = perturb.apply("\n".join(["red", last, "blue"]), "option_shuffle:form=lines")
    assert inside.status == "options refused"


@pytest.mark.parametrize(
    "option",
    "All but the first|The first two|Both the first and the third|the previous two|Only the first"
    "|The first and second options|Neither the first nor the second|The two above".split("|"),
)
def test_places_name_others(option):
    text = f"A. red\nB. blue\nC. {option}"
    assert perturb.apply(text, "option_shuffle").status == "options refused"
    assert perturb.apply(text, "option_labels").status == "changed"


@pytest.mark.parametrize(
    "option", "The first|Third|First World War|The last of the Mohicans|Todos los Santos".split("|")
)
def test_places_that_name_no_options(option):
    assert perturb.apply(f"A. red\nB. blue\nC. {option}", "option_shuffle").status == "changed"
