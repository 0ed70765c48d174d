"""Places where related words stay, though their part of speech is clear."""

import pytest

import perturb


def changed(name, text):
    """Return the words that change."""
    edits = perturb.apply(text, name, p=1.0).edits
    return [text[edit.start : edit.end] for edit in edits if len(edit.text) > 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How long is it? How old is Ann?", []),
        ("It is 6 feet wide and half a mile long.", []),
        ("Ann is seven years old, twice as old as Tom.", []),
        ("Ann is 2 years older than Tom.", ["older"]),
        ("The long road is wide.", ["long", "wide"]),
        ("Old dogs sleep in a small house.", ["Old", "small"]),
    ],
)
def test_measures_have_no_opposite(text, words):
    assert changed("antonym", text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("who played in toy story", []),
        ("what year was george bush elected", []),
        ("who was the queen of the movie hall of fame", []),
        ("what movies did he make", ["movies"]),
        ("What toy story did Tom buy?", ["toy", "story", "buy"]),
    ],
)
def test_what_may_be_a_name_in_small_letters_stays(text, words):
    assert changed("synonym", text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Where do they eat?", []),
        ("They need to go.", []),
        ("They need it.", ["need"]),
        ("What did they eat?", ["eat"]),
        ("They eat the soup.", ["eat"]),
        ("They finish at noon.", ["noon"]),
    ],
)
def test_verbs_that_need_an_object(text, words):
    assert changed("synonym", text) == words
