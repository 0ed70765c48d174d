"""The spelling of one word of the lexicon, which the package only needs of columns of them."""

import numpy as np

from perturb.lexicon.store import spellings


def spell(surface):
    """The spelling of a surface, lower-case."""
    return spellings(np.array([surface])).to_list()[0]
