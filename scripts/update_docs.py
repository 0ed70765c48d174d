"""Write what the examples of the documentation give in place of what they show.

    python scripts/update_docs.py [PAGE ...]

Without pages, the README and all in docs/. Each is run as tests/test_docs.py runs it; an example
that fails otherwise than by its output ends the script. Read the differences before committing.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import pages_shown  # noqa: E402

import perturb  # noqa: E402
from perturb.registry import registry  # noqa: E402


def main(*pages: str) -> None:
    """Mend pages, and say how many blocks of each are others now."""
    perturb.names()
    known = registry.snapshot()
    for page in [Path(page).resolve() for page in pages] or pages_shown.PAGES:
        with tempfile.TemporaryDirectory() as folder:
            if count := pages_shown.mend(page, Path(folder)):
                print(f"{page.relative_to(ROOT)}: {count} blocks")
        registry.restore(known)  # no page sees what another one registers


if __name__ == "__main__":
    main(*sys.argv[1:])
