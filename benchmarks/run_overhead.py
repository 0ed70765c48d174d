"""Claim: `perturb run` adds under 1 ms to each row that an endpoint answers.

    python benchmarks/run_overhead.py

What `perturb run` takes beyond the bare client it takes to check the rows, build the requests, read
the answers, keep the journal and write the output.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from contextlib import suppress
from itertools import count, islice
from pathlib import Path

import aiohttp
from common import Run, in_turns, made_rows, options, rows_of, timed

from perturb import __version__
from perturb.cli import main as perturb

ROWS = 10_000
CONCURRENCY = 64
CHOICE = {
    "message": {"role": "assistant", "content": "The answer is 42."},
    "finish_reason": "stop",
}
USAGE = {"prompt_tokens": 90, "completion_tokens": 6, "total_tokens": 96}
ANSWER = json.dumps({"object": "chat.completion", "choices": [CHOICE], "usage": USAGE}).encode()
REQUEST = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


async def read_body(reader):
    """Return the body of a request or a response."""
    head = await reader.readuntil(b"\r\n\r\n")
    size = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    return await reader.readexactly(int(size))


async def serve():
    """Print a port, and answer each request there at once, with one completion."""

    async def respond(reader, writer):
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while await read_body(reader):
                writer.write(HEAD % len(ANSWER) + ANSWER)

    server = await asyncio.start_server(respond, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def bare(port, requests):
    """Send requests and read the answers, with nothing around."""
    todo = iter(requests)

    async def work():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for body in todo:
            writer.write(REQUEST % len(body) + body)
            await read_body(reader)
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*(work() for _ in range(CONCURRENCY)))


def make_rows(folder):
    """10,000 rows as `perturb apply` writes them, and the bodies of their requests."""
    clean, rows = folder / "clean.jsonl", folder / "rows.jsonl"
    with clean.open("w") as out:
        out.writelines(json.dumps(row) + "\n" for row in islice(made_rows("question"), ROWS))
    call = ["apply", "keyboard_typos", "-p", "0.05", "--field", "question"]
    assert perturb([*call, "-i", str(clean), "-o", str(rows)]) == 0
    texts = [row["question"] for row in rows_of(rows)]
    bodies = [{"model": "m", "messages": [{"role": "user", "content": text}]} for text in texts]
    return rows, [json.dumps(body).encode() for body in bodies]


def main():
    run = Run(options(__doc__, rounds=5))
    command = [sys.executable, __file__, "serve"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        with tempfile.TemporaryDirectory() as name:
            rows, requests = make_rows(Path(name))
            call = ["run", str(rows), "--endpoint", f"http://127.0.0.1:{port}/v1", "--model", "m"]
            call += ["--field", "question", "--concurrency", str(CONCURRENCY)]
            outputs = (str(Path(name, f"answers-{turn}.jsonl")) for turn in count())
            work = {
                "bare client": lambda: asyncio.run(bare(port, requests)),
                "perturb run": lambda: perturb([*call, "-o", next(outputs)]),
            }
            taken = in_turns(work, run.args.rounds, timed)
    finally:
        server.kill()
        server.communicate()
    clocks, costs = ("wall", "cpu"), {}
    for name, turns in taken.items():
        medians = (statistics.median(each) * 1e3 / ROWS for each in zip(*turns, strict=True))
        costs[name] = dict(zip(clocks, medians, strict=True))
    floor, ours = costs.values()
    run.write(
        "run_overhead",
        {"perturb": __version__, "aiohttp": aiohttp.__version__},
        settings={"concurrency": CONCURRENCY, "rows": ROWS},
        milliseconds_a_row=costs,
        added={clock: round(ours[clock] - floor[clock], 4) for clock in clocks},
    )


if __name__ == "__main__":
    asyncio.run(serve()) if sys.argv[1:] == ["serve"] else main()
