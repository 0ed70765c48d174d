"""Places where related words stay, though their part of speech is clear."""

import operator

import pytest
from taken import by_spec

import perturb


def changed(name, text):
    """Return the words that change."""
    edits = perturb.apply(text, name, p=1.0).edits
    return [text[edit.start : edit.end] for edit in edits if len(edit.text) > 1]


CHANGED = {
    "antonym": [
        # Measures have no opposite.
        ("How long is it? How old is Ann?", []),
        ("It is 6 feet wide and half a mile long.", []),
        ("Ann is seven years old, twice as old as Tom.", []),
        ("Ann is 2 years older than Tom.", ["older"]),
        ("The long road is wide.", ["long", "wide"]),
        ("Old dogs sleep in a small house.", ["Old", "small"]),
        # Searches in small letters may hold titles.
        ("old movies with a good ending", []),
        ("was the movie good", []),
        ("the movie was good?", []),
        ("the book that was big in 1920 and who wrote it", []),
        # Beside an unknown word an adjective may be of its name.
        ("the big lebowski was fine.", []),
        ("i saw lebowski big.", []),
    ],
    "synonym": [
        # What may be a name in small letters stays.
        ("who played in toy story", []),
        ("what year was george bush elected", []),
        ("who was the queen of the movie hall of fame", []),
        ("what movies did he make", ["movies"]),
        ("What toy story did Tom buy?", ["story", "buy"]),
        # Verbs that need an object.
        ("Where do they eat?", []),
        ("They need to go.", []),
        ("They need it.", ["need"]),
        ("What did they eat?", ["eat"]),
        ("They eat the soup.", ["eat"]),
        ("They finish at noon.", ["noon"]),
    ],
}


@pytest.mark.parametrize(("name", "text", "words"), by_spec(CHANGED))
def test_the_words_that_change(name, text, words):
    assert changed(name, text) == words


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("synonym", "who was the one who died in glee"),
        ("antonym", "who sings love me tender in princess diaries 2"),
        ("antonym", "when did korea separate into north and south"),
        ("antonym", "Is the focus on this high or low?"),
        ("hypernym", "He can dig 4 feet/hour through clay and half that fast through soil."),
        ("synonym", "It would be set up in Edinburgh provided that most agree."),
        ("hypernym", "How many sausages did Dylan buy in all?"),
        ("name_swap", "Who is the third richest man in America?"),
        ("synonym", "the boards name on ed edd and eddy"),
        ("hypernym", "Machine Learning is one of the sodium channels."),
        ("gender_swap", "what is the male lion called in lion king"),
        ("gender_swap", "why is marilyn famous and when did she die"),
        ("gender_swap", "who sings love me tender in princess diaries 2"),
        ("gender_swap", "Hassan al-Turabi and Peter of Abano saw Laverne & Shirley with her."),
        ("gender_swap", "What did Luther write, and how old was Manning when he played?"),
        ("gender_swap", "Hutton published a version of his ideas. Anderson scored with him."),
        ("name_swap", "Romeo and Juliet is on in Laverne & Shirley, by Thomas de Maizière."),
        ("name_swap", "The Joe and Rika Mansueto Library has a score by Tristram Cary/Tom Baker."),
        ("name_swap", "When will Holden close, and when did Norman mercenaries come?"),
        ("antonym", "They flow along the lower Rhine and stop using it."),
        ("antonym", "How many square miles large was it?"),
        ("antonym", "who is the writer of a walk to remember"),
        ("antonym", "where did remember the titans camp take place"),
        ("antonym", "who is in the bold and the beautiful"),
        ("antonym", "who has won the canada open women's doubles"),
        ("synonym", "The prisoners of war were in use."),
        ("hypernym", "Where shall we go for dinner, and where for lunch?"),
        ("synonym", "They got through customs, not to mention the other place to stay."),
        ("synonym", "It will be earning him a name, to which remaining ones adapt accordingly."),
        ("antonym", "It has long been one of the lower house, and in the past few years too."),
    ],
)
def test_what_would_read_wrong_stays(name, text):
    """Titles, names of works, terms, and what the text says already."""
    assert perturb.apply(text, name, p=1.0).text == text


ADJECTIVES = (
    "good bad big small hot cold long short old young happy sad rich poor easy hard fast slow strong "
    "weak dark clean dirty cheap expensive new early late high low wide narrow true false beautiful "
    "ugly boring interesting warm cool"
).split()
FRAMES = [
    ("the movie was {}", 30),
    ("this film is {}.", 30),
    ("it was a {} movie", 30),
    ("it was a {} day", 28),
    ("the book is {} and i liked it", 29),
    ("i think the show was really {}", 30),
    ("he sings a {} song, but i like him", 28),
    ("she is a {} woman, and the lyrics were fine", 27),
]


@pytest.mark.parametrize(("frame", "least"), FRAMES)
def test_opinions_in_small_letters_have_opposites_as_with_capitals(frame, least):
    """These speak of films and songs as searches do, but say what was thought of them."""
    small = [frame.format(word) for word in ADJECTIVES]
    large = [text[0].upper() + text[1:].replace(" i ", " I ") for text in small]
    counts = [
        sum(map(operator.ne, texts, map(str, perturb.apply(texts, "antonym", p=1.0))))
        for texts in (small, large)
    ]
    assert counts[0] >= least
    assert counts[1] == counts[0]


def test_a_surname_beside_a_first_name_or_a_title_is_of_people_who_change():
    text = "Hutton saw Scott and his sister. Ms. Manning saw Hutton and her brother."
    made = perturb.apply(text, "gender_swap", p=1.0).text
    assert "and her brother. Mr. Manning saw Hutton and his sister." in made
    assert "Scott" not in made


def test_private_people_change_in_small_letters():
    text = "my brother gave his wife her book"
    assert perturb.apply(text, "gender_swap", p=1.0).text == "my sister gave her husband his book"
