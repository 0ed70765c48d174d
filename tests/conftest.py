"""The sizes of long checks; and no test fails because the machine is slow."""

import gc
import os
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A property sees a fifth of its examples (`sizes.of_all`), and the same each time, unless --heavy
# looks for new ones: a change is not refused for what was there before it.
PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("heavy", **PATIENT)
settings.register_profile("reduced", **PATIENT, derandomize=True, max_examples=20)
# Of the cases of a slow function, CI runs the first and every fifth behind it.
_EACH = 5


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run slow tests too, as CI does")
    parser.addoption("--heavy", action="store_true", help="run all tests, and long checks in full")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set how many examples properties see, before modules of tests are imported."""
    settings.load_profile("heavy" if config.getoption("--heavy") else "reduced")
    _let_signals_through()
    _share_bytecode(config)
    # Collecting makes a million objects that stay: looking through them takes a fifth of its time.
    gc.set_threshold(100_000, 50, 100)


def _let_signals_through() -> None:
    """Let signals through to the commands that tests end, in the background and under nohup too."""
    defaults = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL}
    for name, handler in (defaults | {"SIGHUP": signal.SIG_DFL}).items():
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def _share_bytecode(config: pytest.Config) -> None:
    """Let the processes that tests start compile perturb once, where no bytecode may be written."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        folder = TemporaryDirectory()
        config.add_cleanup(folder.cleanup)
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name


@pytest.fixture
def forget() -> Iterator[None]:
    """Forget what a test registers; what is loaded in it for the first time stays."""
    from perturb.registry import registry

    before = registry.snapshot()
    yield
    registry.restore(before)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests whose size depends on --heavy, and leave out slow ones."""
    for item in items:
        if not {"examples", "in_full", "only_in_full"}.isdisjoint(
            getattr(item, "fixturenames", ())
        ):
            item.add_marker("heavy")
    if not config.getoption("--heavy"):
        left_out = list(_left_out(items, _EACH if config.getoption("--slow") else 0))
        config.hook.pytest_deselected(items=left_out)
        without = {*map(id, left_out)}
        items[:] = [item for item in items if id(item) not in without]


def _left_out(items: list[pytest.Item], each: int) -> Iterator[pytest.Item]:
    """Yield the slow tests that are left out: all, or of each function all but every fifth."""
    before = Counter[str]()
    for item in items:
        if item.get_closest_marker("slow"):
            function = item.nodeid.partition("[")[0]
            if not each or before[function] % each:
                yield item
            before[function] += 1


def pytest_collection_finish() -> None:
    """Let the collector of garbage walk rarely, and never over modules and thousands of tests."""
    gc.freeze()


@pytest.fixture(scope="session")
def examples(request: pytest.FixtureRequest) -> int:
    """The number of random texts each property looks at."""
    if request.config.getoption("--heavy"):
        return 100
    return 8 if request.config.getoption("--slow") else 4


@pytest.fixture(scope="session")
def in_full(request: pytest.FixtureRequest) -> bool:
    """Whether long checks run in full."""
    return bool(request.config.getoption("--heavy"))


@pytest.fixture
def only_in_full(in_full: bool) -> None:
    if not in_full:
        pytest.skip("a long check: --heavy runs it")


BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser():
    """A browser without a display; its driver runs an event loop, so others come between modules."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path)
        yield started
        started.close()


@pytest.fixture(scope="session")
def findings():
    """What axe finds on a tab that breaks a rule seriously; PERTURB_AXE names axe.min.js.

    It is in the npm package axe-core: `npm pack axe-core`.
    """
    path = os.environ.get("PERTURB_AXE")
    if path is None:
        pytest.skip("PERTURB_AXE names no axe.min.js")
    source = Path(path).read_text("utf-8")

    def found(tab):
        tab.evaluate(source)
        results = tab.evaluate(
            "async () => (await axe.run({ resultTypes: ['violations'] })).violations"
        )
        return [
            (rule["id"], rule["nodes"][0]["html"][:200])
            for rule in results
            if rule["impact"] in ("serious", "critical")
        ]

    return found
