"""Sites of whole texts, which are found late."""

import numpy as np
import pytest

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import TextSites


def test_an_error_in_the_function_that_finds_is_the_one_that_is_met() -> None:
    def find(batch):
        return batch.no_such_thing

    sites = TextSites(Batch.of(["a"]), find, np.ones(1, np.bool_))
    with pytest.raises(AttributeError, match="no_such_thing"):
        sites.starts  # noqa: B018
