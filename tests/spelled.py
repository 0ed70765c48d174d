"""Words of the lexicon one by one: the number of each, and its spelling."""

import numpy as np

from perturb.lexicon.hashing import fold, hash_words
from perturb.lexicon.store import spellings, surfaces_of_hashes


def lookup(codes, starts, ends):
    """The surfaces of words in a buffer of code points; -1 for those that the lexicon lacks."""
    return surfaces_of_hashes(hash_words(fold(codes), starts, ends))


def spell(surface):
    """The spelling of a surface, in lower case."""
    (word,) = spellings(np.array([surface])).to_list()
    return word
