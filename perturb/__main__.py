"""`python -m perturb`: the command line. Private."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the working folder, whose files are data and not ours to import
    from perturb.cli import main

    sys.exit(main())
