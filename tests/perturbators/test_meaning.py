"""Planted faults, by class: data, citations and code that a step on words and numbers must leave."""

import pytest

import perturb

STAYS = {
    "citations": [
        ("number_format", "See Smith v. Jones, 870 S.W.2d 786, 787 (Tex. 1993)."),
        ("number_format", "It cites 12 F.3d 104 and nothing else."),
    ],
    "error codes": [
        ("number_format", "It raises 404 and 405 exceptions."),
        ("number_format", "The server sent 500 errors, and a 403 response."),
        ("number_format", "The exit status is 2, and the accepted value is 0."),
    ],
    "cells of CSV": [
        ("date_format", "date,price\n2022-03-02,167.00\n2022-03-03,168.10"),
        ("date_format", "AAPL,2022-03-02,167.00"),
        ("date_format", "7,March 2, 2022,x"),
        ("date_format:to=us", "name,kind,share,at\nAnn,all,49.08,10:00:40 17 Nov 2019"),
    ],
    "questions without a mark": [
        ("negation", "when do they find stefan"),
        ("negation", "how did she win it"),
        ("negation", "what color is the cue ball in pool"),
        ("negation", "how deep is the trinity river"),
        ("negation", "in which us state is this city located"),
        ("negation", "how many games has the team won"),
        ("negation", "how many episodes have there been"),
        ("negation", "what is it called when you die"),
        ("negation", "when did santa claus is coming to town come out"),
    ],
    "nouns that may be verbs": [
        ("negation", "single splits of the rows"),
        ("negation", "how many electoral votes a state has"),
        ("negation", "It may or may not be lazy."),
    ],
    "numbers of things": [
        ("number_format", "In year 2 they paid loan 1 for subbasin 5, under sec. 465."),
        ("number_format", "how many big 12 titles has kansas"),
        ("number_format", "where does red dead redemption 2 take place"),
        ("number_format", "who does jack marry in 30 rock"),
        ("number_format", "who sang in 10 things i hate about you"),
    ],
    "names of things": [
        ("name_swap", "Convert it into Ruby. Is it fast?"),
        ("name_swap", "The model was trained with LoRA and is written in Julia."),
        ("name_swap", "| Max length | 512 |\n|---|---|\n| Mark all | 1 |"),
        ("gender_swap", "State,Bill,Party\nOhio,12,x\nUtah,13,y"),
        ("gender_swap", "It sold Mike & Ike."),
        ("gender_swap", "latency average = 11 ms. Every time man invokes it, run man."),
        ("gender_swap", "when did uncle ben join my three sons"),
        ("gender_swap", "Use ``keep``, ``last`` or ``first``: Mark duplicates as ``True``."),
    ],
    "terms of documentation": [
        ("synonym", "Flask stores the `path` of the cookie and the port in a null query."),
        ("hypernym", "Flask uses a decorator. The template engine loads the `config` file."),
        ("number_format", "The server sets the status code to 404."),
        (
            "synonym",
            "The ``tensor`` has a shape, and the method returns a result of least squares.",
        ),
        ("date_format", "brw-r-----   1 root     disk   8,   2 Jul  2 09:15 sdb2"),
    ],
    "terms of medicine": [
        (
            "synonym",
            "The patient has a deficit in a vessel. LARGE VESSEL OCCLUSION. History: fever.",
        ),
        ("synonym", "Denies dysuria. Carotid bruits. History significant for fluid retention."),
        ("synonym", "The drug was prescribed but not started, and it helps ease pain."),
        ("gender_swap", "She had a hysterectomy, and her sister lives with her."),
        ("number_format", "PROCEDURES: Fusion. 2. Removal of tissue. 3. Repair, with 250 mmHg."),
    ],
    "terms of law": [
        ("synonym", "The court omitted the petitioner's brief. The judge granted the motion."),
        ("synonym", "The statute of limitations under section 722 lacks merit, pursuant to § 2."),
        ("number_format", "Grutter v. Bollinger, 539 U. S. 306, 321; see id., at 269, 275, 315."),
        (
            "name_swap",
            "In Clark v. Board of Directors, he asked. He read Allen v. Davis (Douglas, J.).",
        ),
        ("gender_swap", "“[T]he analysis” is (HE) Compatible."),
    ],
    "labels": [
        ("synonym", "- Motor strength: 5/5\n- Child:\n* Comments.\nThe Decorator is here."),
        ("hypernym", "PET/CT showed it. Pet. for Cert. was denied."),
    ],
    "heads and cells of tables": [
        ("synonym", "date,price\nAug 1 2001,1133.58\ncountry,income,health\nItaly,3,4"),
        ("synonym", "| Price | Country |\n|---|---|\n| small car | nation |"),
    ],
    "people of history": [
        ("gender_swap", "Ampere taught in Lyon until 1809. He wrote that Volta helped him."),
    ],
    "kin of species": [
        ("gender_swap", "The lungfish is sister to all other fish."),
        ("gender_swap", "Turtles are the sister to crocodiles and birds."),
    ],
    "code": [
        ("synonym", "child = Blueprint('child', subdomain='child')\ng.user = execute(query)"),
        ("gender_swap", "actors = me.ListField()\nsister.help(brother=1)"),
        ("date_format", "Fri, 20 Feb 2009 17:42:51 GMT"),
    ],
    "halves of words": [("synonym", "It is the in-\nstance. The big\u2010\nger one.")],
    "names of places": [
        ("name_swap", "He lives with his mother in Easton, near Grant streets."),
        ("entity_swap", "She was born in Munich, Germanic land. An Austin bunionectomy."),
        ("entity_swap", 'now("Europe/Paris") is the time in Paris.'),
        ("entity_swap", "The United States of America Standards Institute moved."),
    ],
    "small words that are names elsewhere": [
        ("name_swap", "will hunt mark wright in reading, and may grace hope"),
        ("name_swap", "who is older barack obama or joe biden"),
        ("name_swap", "did mary ann stay, and who starred in jack ryan"),
        ("name_swap", "who wrote the john doe letters, and the peter johnson library"),
        ("name_swap", "Is ann johnson here?"),
        ("entity_swap", "did england dan meet paris in march of the penguins"),
        ("entity_swap", "who sings from russia with love, and who starred in casablanca"),
        (
            "entity_swap",
            "the bank of america, the gulf of mexico and new mexico in phoenix arizona",
        ),
        ("entity_swap", "the germany of kant in germany"),
        ("entity_swap", "He left the United States with United States troops."),
        ("entity_swap", "May we go to france in march?"),
    ],
    "words of prompts and of mathematics": [
        ("synonym", "Read the following text. Summarize it in three sentences."),
        ("synonym", "Expand (x + 1)^2. Evaluate the expression at x = 2."),
        ("synonym", "Are ABC and DEF similar triangles? Does it have a unique solution?"),
        ("synonym", "It is multiple choice. It's the final of 2012."),
    ],
    "parts of a phrase": [("date_format", "The 25th of February, 1871 was a day of snow.")],
}
CHANGES = [
    ("synonym", "The children began to buy a big car.", "kids start"),
    ("synonym", "The path of the big car.", "The path of the large "),
    ("synonym:multiword=true", "They executed the plan.", "They carried out the plan."),
    ("gender_swap", "SHE LEFT. He said that her back hurt.", "HE LEFT. She said that his back"),
    ("name_swap", "Clark said that he left. Allen's car was new.", "said that he left"),
    ("entity_swap", "She flew from Paris, Rome and Madrid to Lima in May 2007.", "2007"),
    ("number_format", "The server has 12 files and 5 users.", "twelve files"),
    ("number_format", "It raised 404 people and 405 cows.", "four hundred four people"),
    ("number_format", "In the 2d round, 12 men ran.", "twelve men"),
    ("number_format", "It has 12, 13 or 14 rooms.", "twelve"),
    ("number_format", "when did the team win 4 championships", "four"),
    ("number_format", "what were the 6 great powers and the 12 days", "twelve days"),
    ("number_format", "He died at age 84, and used it 1 time.", "eighty-four"),
    ("gender_swap", "The old man saw Ms. Young for 5 ms.", "The old woman"),
    ("negation", "which river is the longest", "is not the longest"),
    ("negation", "who sings we are the champions", "who does not sing we are the champions"),
    ("negation", "She says that they find it.", "they do not find it"),
    ("name_swap", "Ruby gave the book to Julia, and Max was glad.", "gave the book to"),
    ("name_swap", "| Max | 12 |\n|---|---|\n| Julia | 13 |", "| 12 |"),
    ("name_swap", "who is married to peter johnson", "who is married to "),
    (
        "name_swap",
        "did ann johnson's son play for michael jackson",
        "'s son play for michael jackson",
    ),
    ("name_swap", "who sang with peter johnson in 1990", " in 1990"),
    ("entity_swap", "who won in france in may", "who won in "),
    ("number_format", "On May 12 300 people came.", "May 12 three hundred people"),
    ("gender_swap", "She is sister to the king.", "He is brother to the queen."),
    ("entity_swap", "who is the king of england", "who is the king of "),
    ("entity_swap", "when did the united states join", " join"),
    ("entity_swap", "who sang with john lennon in liverpool", "who sang with john lennon in "),
    ("date_format:to=iso", "It opened on March 2, 2022, and closed.", "2022-03-02, and"),
    ("date_format:to=iso", "On the 25th of February, 1871, it fell.", "On 1871-02-25, it"),
]


@pytest.mark.parametrize(
    ("step", "text"), [case for cases in STAYS.values() for case in cases], ids=str
)
def test_what_is_no_quantity_and_no_date_stays(step, text) -> None:
    for seed in range(3):
        assert perturb.apply(text, step, p=1, seed=seed).text == text


def test_lines_and_hyphens_of_one_text_mean_nothing_to_the_next() -> None:
    texts = ["-\n", "who is recognized as the founder", "a;\n{=", "She is happy.", "Rome,", "Lima."]
    for step in {step for cases in STAYS.values() for step, _ in cases}:
        alone = [str(perturb.apply(text, step, p=1)) for text in texts]
        assert list(map(str, perturb.apply(texts, step, p=1))) == alone


@pytest.mark.parametrize(("step", "text", "has"), CHANGES)
def test_what_is_one_changes_beside_them(step, text, has) -> None:
    made = perturb.apply(text, step, p=1).text
    assert has in made
    assert made != text
    assert text != text.lower() or made == made.lower()


@pytest.mark.parametrize(
    "end", ["```\nx = 1\n```", "a list [1, 2]", "so (he left)", "f(x)", "| a |"]
)
def test_what_is_added_behind_a_bracket_begins_a_line(end) -> None:
    made = perturb.apply(f"Read this: {end}", "add_context", p=1).text
    assert made.startswith(f"Read this: {end}\n")


@pytest.mark.parametrize("end", ["He left.", "(He left.)", "Is it?", 'He said "no."'])
def test_what_is_added_behind_a_stop_goes_on(end) -> None:
    assert perturb.apply(end, "add_context", p=1).text.startswith(f"{end} ")
