"""People of another gender, or with other names."""

import pytest
import regex

import perturb
from perturb.lexicon.phrases import taboo_words
from perturb.perturbators.people._name_tables import FEMALE, MALE, ORIGINS, names, surnames

TEXTS = [
    f"{one} told {other} that {one}'s sister saw {other}. Then {third} and {one} left."
    for one, other, third in (
        ("Janet", "Tom", "Linda"),
        ("Maria", "Jose", "Carlos"),
        ("Tamika", "Ann", "Susan"),
        ("Raj", "Priya", "Kevin"),
    )
] * 20


def swapped(text, **parameters):
    return str(perturb.apply(text, perturb.steps.gender_swap(p=1, kind="pronouns", **parameters)))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("She sold her book to him.", "He sold his book to her."),
        ("It was his ninth win, and her third.", "It was her ninth win, and his third."),
        ("She read her eleven pages.", "He read his eleven pages."),
        ("I saw her. She hurt herself.", "I saw him. He hurt himself."),
        ("Ann gave her two apples.", "Ann gave him two apples."),
        ("Ann has her two apples.", "Ann has his two apples."),
        ("It cost her $5 in all.", "It cost him $5 in all."),
        ("The hat is his, not hers; his is red.", "The hat is hers, not his; hers is red."),
        (
            "They let her sleep, and it made her happy.",
            "They let him sleep, and it made him happy.",
        ),
        ("He or she may bring his or her bag.", "She or he may bring her or his bag."),
        ("He’ll come; SHE'S GONE; “his” hat", "She’ll come; HE'S GONE; “her” hat"),
        ("See /her/him and `his` there.", None),
    ],
)
def test_pronouns(text, wanted):
    assert swapped(text) == (wanted or text)


def test_directions():
    text = "He and she met his mother."
    assert swapped(text, direction="to_female") == "She and she met her mother."
    assert swapped(text, direction="to_male") == "He and he met his mother."


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("My Dad and Mr. Bean's wife", "My Mom and Ms. Bean's husband"),
        ("his step-father and stepfathers", "his step-mother and stepmothers"),
        ("The king’s son, King Lear", "The queen’s daughter, King Lear"),
        ('"Yes, ma\'am," said Uncle Vanya.', '"Yes, sir," said Aunt Vanya.'),
    ],
)
def test_words(text, wanted):
    assert str(perturb.apply(text, perturb.steps.gender_swap(p=1, kind="words"))) == wanted


def test_all_contractions_of_a_pronoun_change():
    text = "I think shes late; she'd've come with her brother, and hes here."
    wanted = "I think hes late; he'd've come with his sister, and shes here."
    assert perturb.apply(text, "gender_swap", p=1).text == wanted


def test_a_text_changes_as_a_whole_or_not_at_all():
    text = "He told Mary that she knew his sister."
    assert perturb.apply(text, "gender_swap", p=1, protect=["word:Mary"]).text == text
    changed = [
        r.text != t for t, r in zip(TEXTS, perturb.apply(TEXTS, "name_swap", p=0.5), strict=True)
    ]
    assert 10 < sum(changed) < 70  # binomial with N = 80 and 0.5: 40 +- 6.7 standard deviations


def rows_of(words):
    """Return the rows in the table of the names among some words."""
    known = {name: row for row, name in enumerate(names().spelled.to_list())}
    return [known[word] for word in words if word in known]


@pytest.mark.slow
@pytest.mark.parametrize("origin", ORIGINS)
def test_other_names(origin):
    """Each name gets one other of its gender and of the origin, new to the text."""
    table = names()
    for record in perturb.apply(TEXTS, perturb.steps.name_swap(p=1, origin=origin)):
        pairs = {(record.original[e.start : e.end], e.text) for e in record.edits}
        old, new = {one for one, _ in pairs}, {other for _, other in pairs}
        assert len(old) == len(new) == len(pairs) == 3
        assert not old & new
        for one, other in pairs:
            (row,), (written,) = rows_of([one]), rows_of([other])
            assert table.genders[row] == table.genders[written]
            assert table.origins[written] == ORIGINS.index(origin)


def test_only_names_of_an_origin_are_replaced():
    for record in perturb.apply(TEXTS, perturb.steps.name_swap(p=1, replaced="hispanic")):
        assert bool(record.edits) == ("Jose" in record.original)
        assert {record.original[e.start : e.end] for e in record.edits} <= {"Jose", "Carlos"}


@pytest.mark.slow
def test_a_new_gender_has_a_name_of_it():
    table = names()
    for record in perturb.apply(TEXTS, perturb.steps.gender_swap(p=1, kind="names")):
        old = [record.original[e.start : e.end] for e in record.edits]
        new = [e.text for e in record.edits]
        assert old
        genders = {MALE: FEMALE, FEMALE: MALE}
        assert [genders[table.genders[row]] for row in rows_of(old)] == [
            table.genders[row] for row in rows_of(new)
        ]


@pytest.mark.parametrize(
    "text",
    [
        "Albert Einstein was born in Ulm.",
        "We met in St. John and Mount Mary.",
        "Rose petals fell. Will you mark it? Mark your answer.",
        "Chris and Jordan met in April.",
        "mary and TOM wrote to tom@mary.org",
    ],
)
def test_no_names(text):
    assert perturb.apply(text, "name_swap", p=1).status in ("no site", "protected")


def test_names_that_are_words():
    record = perturb.apply("Mark has a plan. Grace's plan failed, said Hope.", "name_swap", p=1)
    assert [record.original[e.start : e.end] for e in record.edits] == ["Mark", "Grace", "Hope"]


def test_the_table():
    table = names()
    spelled = table.spelled.to_list()
    assert len(set(spelled)) == len(spelled) > 2000
    assert all(regex.fullmatch("[A-Z][a-z]{2,}", name) for name in spelled)
    for gender in (MALE, FEMALE):
        for origin in range(len(ORIGINS)):
            assert (
                (table.genders == gender) & (table.origins == origin) & ~table.words
            ).sum() >= 20


@pytest.mark.parametrize(
    "text",
    ["Angela Merkel left her party.", "Charles I lost his head.", "She won an Oscar in Geneva."],
)
def test_people_who_may_be_known_keep_their_names(text):
    made = perturb.apply(text, "gender_swap", p=1)
    assert made.text == text.replace("She", "He")
    assert perturb.apply(text, "name_swap", p=1).text == text


def last_names(text: str, **parameters: object) -> list[tuple[str, str]]:
    """Return the surnames that are replaced, and by what."""
    record = perturb.apply(text, perturb.steps.name_swap(p=1, kind="last", **parameters))
    return [(record.original[e.start : e.end], e.text) for e in record.edits]


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("Janet Olson met Mr. Brown; Olson's dog barked at Brown.", "Olson Brown Olson Brown"),
        ("Dr Young, Prof. King and Coach Wood left.", "Young King Wood"),
        ("The Garcia family met Mrs. Garcia’s son.", "Garcia Garcia"),
        ("When Nguyen came, Ann Nguyen left.", "Nguyen Nguyen"),
        ("Mr. and Mrs. Adams know Paul Adams.", "Adams Adams"),
        ("Mrs. Jane Olson and Coach McCarthy", "Olson McCarthy"),
        # Words are surnames only behind a name or a title, or where the text has such a place.
        ("Young people like Ms. Young. Brown bread is good; the King came.", "Young"),
        ("Brown and King met. Olson came, and so did Young.", ""),
        ("I saw a Ford of Mr. Ford.", "Ford"),
        # With yet another word it may be a place, a firm or somebody else.
        ("Ann Olson works at Olson Hall.", ""),
        ("Ann Olson Miller met Mary Jane Olson.", ""),
        ("We walked from St. James to Mount Wilson.", ""),
        # A law is named after somebody who is known.
        ("Mary Hobbs left. The Hobbs effect is strong.", ""),
        ("John Dalton left. Dalton's atomic theory holds.", ""),
        ("Ann Olson left. Olson's law firm sued.", "Olson Olson"),
        ("Mr. Price left. The Price equation holds.", ""),
        ("The Olson method is due to Mr. Olson.", ""),
        ("Ann Olson left. Olson's method worked.", "Olson Olson"),
        # So is what is named after two, and a firm.
        ("Mr. Ferrell met Ms. Dolan. The Ferrell-Dolan theory is wrong.", ""),
        ("Mr. Olson met Ms. Brown. Olson-Miller’s law holds.", "Brown"),
        ("Mr. Olson met Ms. Brown. Nyquist–Olson noise is low.", "Brown"),
        ("Mr. Olson works at Olson & Hughes; Ms. Brown owns Brown and Sons.", ""),
        # People who are known.
        ("Abraham Lincoln spoke; Mr. Lincoln sat.", ""),
        ("Tim Cook met Mr. Cook.", ""),
        ("John Smith met Taylor Swift.", "Smith"),
    ],
)
def test_surnames(text, replaced):
    found = last_names(text)
    assert [old for old, _ in found] == replaced.split()
    new = dict(found)
    assert all(new[old] == other for old, other in found)
    assert len({*new.values()}) == len(new)
    assert not {*new.values()} & {*regex.findall(r"\w+", text)}


@pytest.mark.parametrize("origin", ORIGINS)
def test_surnames_of_an_origin(origin):
    table = surnames()
    of = dict(zip(table.spelled.to_list(), table.origins.tolist(), strict=True))
    for text in ("Mr. Smith met Ann Garcia.", "Dr. Kim saw Ms. Nguyen.", "Tom Washington left."):
        made = last_names(text, origin=origin)
        assert made
        assert {of[new] for _, new in made} == {ORIGINS.index(origin)}
        old = last_names(text, replaced=origin)
        assert {of[one] for one, _ in old} <= {ORIGINS.index(origin)}


def test_first_names_before_surnames():
    """A first name is replaced before a surname that is; both go together unless one is asked."""
    text = "Janet Olson told Tom that Thomas, Clarence Thomas, saw Janet."
    replaced = {
        kind: [
            text[e.start : e.end]
            for e in perturb.apply(text, perturb.steps.name_swap(p=1, kind=kind)).edits
        ]
        for kind in ("any", "first", "last")
    }
    assert replaced["any"] == ["Janet", "Olson", "Tom", "Janet"]
    assert replaced["first"] == ["Janet", "Tom", "Janet"]
    assert replaced["last"] == ["Olson"]
    assert perturb.apply("Ann Einstein saw Ann.", "name_swap", p=1).status == "no site"


def test_the_table_of_surnames():
    table = surnames()
    spelled = table.spelled.to_list()
    assert len(set(spelled)) == len(spelled) > 4000
    assert all(regex.fullmatch("(Mc)?[A-Z][a-z]{2,}", name) for name in spelled)
    for origin in range(len(ORIGINS)):
        assert ((table.origins == origin) & ~table.words).sum() >= 60
    assert taboo_words().isdisjoint(name.lower() for name in spelled)


def test_an_answer_without_the_article_of_a_country_follows_the_text() -> None:
    rows = "He lives in the United States.\nUnited States", "The Netherlands won.\nNetherlands"
    for text in rows:
        *_, name = (made := perturb.apply(text, "entity_swap", p=1).text).split("\n")
        assert name in made.split("\n")[0]
        assert name not in text
