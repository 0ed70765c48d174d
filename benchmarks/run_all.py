"""Run every benchmark, draw the plot and write the README's figures.

Run it as `python benchmarks/run_all.py`. It takes several minutes. `--full` takes files up to
500 MB and more rounds, `--data FILE.jsonl --field NAME` other text, `--only NAME ...` some of the
benchmarks. The peers have to be installed before (`setup_peers.py`), and what the benchmarks
import: `pip install -e '.[dev]'`.
"""

import subprocess
import sys
import time

from common import ENVIRONMENT, FOLDER, options

ROOT = FOLDER.parent
TEXT = "throughput", "scaling", "perturbators", "files"
REST = "fidelity", "first_use", "language_detection", "error_rate", "score", "run_overhead", "smoke"
FULL = {
    "throughput": ["--rounds", "25"],
    "scaling": ["--rounds", "9"],
    "files": ["--full", "--rounds", "5"],
}
ALWAYS = {"smoke": ["--store"]}
AFTER = FOLDER / "plot.py", ROOT / "scripts" / "readme_speed.py"


def main():
    parser = options(__doc__, "full", "data", "field")
    parser.add_argument("--only", nargs="+", default=(*TEXT, *REST), choices=(*TEXT, *REST))
    args = parser.parse_args()
    corpus = ["--data", args.data, "--field", args.field] if args.data else []
    for name in args.only:
        more = [*(FULL.get(name, []) if args.full else []), *ALWAYS.get(name, [])]
        run(FOLDER / f"{name}.py", *more, *(corpus if name in TEXT else []))
    for script in AFTER:
        run(script)


def run(script, *options):
    """Run a script on this checkout, on one thread."""
    print(f"\n=== {script.name} {' '.join(options)}", flush=True)
    start = time.perf_counter()
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, script, *options], env=environment, check=True)
    print(f"=== {time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
