"""How much the long checks do; and no test fails because the machine is slow."""

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--heavy", action="store_true", help="run long checks in full")


@pytest.fixture(scope="session")
def examples(request: pytest.FixtureRequest) -> int:
    """The number of random texts each property looks at."""
    return 400 if request.config.getoption("--heavy") else 25
