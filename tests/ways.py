"""The specs of the cases as parameters of tests."""

import pytest
from cases import FIRST, SPECS

# All of them, to parametrize a test with: those with other parameters take their time in CI.
WAYS = [pytest.param(one, marks=() if one in FIRST else pytest.mark.slow) for one in SPECS]
