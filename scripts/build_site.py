"""Build the site from docs/ and the code: `python scripts/build_site.py [FOLDER]`.

Needs the extra `docs`, and no network. A warning is an error.
"""

import sys
from pathlib import Path

from sphinx.cmd.build import main

ROOT = Path(__file__).parents[1]

if __name__ == "__main__":
    folder = sys.argv[1] if sys.argv[1:] else str(ROOT / "build" / "site")
    sys.exit(main(["-W", "--keep-going", "-q", "-b", "html", str(ROOT / "docs"), folder]))
