import pytest
from lexicon_arrays.articles import article


@pytest.mark.parametrize(
    ("word", "expected"),
    [("apple", "an"), ("box", "a"), ("hour", "an"), ("Hour", "an"), ("unit", "a"),
     ("unimportant", "an"), ("one-eyed", "a"), ("hour-long", "an"), ("European", "a"),
     ("FBI", "an"), ("UN", "a"), ("MRI", "an"), ("X", "an"), ("8", "an"), ("18", "an"),
     ("11", "an"), ("110", "a"), ("80", "an"), ("800", "an"), ("11,000", "an"), ("1,100", "a"),
     ("180", "a"), ("7", "a"), ("honest", "an"), ("house", "a"), ("", "a"), ("!", "a")],
)  # fmt: skip
def test_article(word, expected):
    assert article(word) == expected
