"""Make `wordlists/english/lexicon.npz` from the tables beside it and the text of WordNet."""

from pathlib import Path

from perturb import resources

WORDLISTS = Path(__file__).parents[2]


def read_rows(*parts: str) -> list[list[str]]:
    """The rows of a table of this checkout, whichever perturb is installed."""
    return resources.parse(WORDLISTS.joinpath(*parts))
