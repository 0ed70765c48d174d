"""`python -m perturb`: the command line."""

import sys

from perturb.cli import main

if __name__ == "__main__":
    sys.exit(main())
