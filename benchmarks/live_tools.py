"""What `perturb.integrations.tools.wrap` adds to a call of a tool.

Run it as `python benchmarks/live_tools.py [--rounds 9]`. The tool is a function that returns at
once, so what it adds is all there is; its results are a forecast of 115 characters, and a page of
100 of them. Beside it are the bare call and a round trip through JSON, as any remote tool takes.
"""

import json
from functools import partial

from common import Run, in_turns, options

import perturb
from perturb.integrations.tools import wrap

CALLS = 40
FORECAST = {"city": "Oslo", "date": "2024-05-01", "temperature": 12, "unit": "celsius",
            "wind": "9 km/h", "hours": [3, 8, 21]}  # fmt: skip
PAGE = {"items": [{**FORECAST, "id": number} for number in range(100)]}
RESULTS = {"forecast": FORECAST, "page": PAGE}
STEPS = (
    "missing",
    "truncated",
    "stale",
    "wrong_type",
    "wrong_unit",
    "number",
    "error",
    "reordered",
)


def main():
    run = Run(options(__doc__, rounds=9))
    figures = {}
    for name, result in RESULTS.items():
        bare = partial(dict, result)
        bare.__name__ = name
        tools = {"bare": bare, "as JSON": lambda result=result: json.loads(json.dumps(result))}
        tools |= {kind: wrap(bare, f"tool_result:kind={kind}") for kind in STEPS}
        works = {key: partial(called, tool) for key, tool in tools.items()}
        seconds = in_turns(works, run.args.rounds)
        us = {key: round(min(each) / CALLS * 1e6, 2) for key, each in seconds.items()}
        figures[name] = {
            key: {"us": each, "times_json": round(each / us["as JSON"], 2)}
            for key, each in us.items()
        }
    run.write("live_tools", {"perturb": perturb.__version__}, **figures)


def called(tool):
    for _ in range(CALLS):
        tool()


if __name__ == "__main__":
    main()
