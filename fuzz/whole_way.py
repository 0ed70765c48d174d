"""Go the whole way twice: once undisturbed, once in every kind of trouble and killed three times.

    python fuzz/whole_way.py
    python fuzz/whole_way.py --questions gsm8k_test.jsonl --store

Perturbs questions, asks a server on this machine that speaks chat completions, scores its answers
and writes the page. The second time the server says 429 and 500, drops connections and leaves
requests without an answer until they time out, and the run is killed by SIGKILL after a quarter, a
half and three quarters of the answers. Every file that the two leave must have the same bytes.
Prints the counts as JSON; with --store also into benchmarks/results/whole_way.json.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
START = "import sys; from perturb.__main__ import start; sys.exit(start())"
STEPS = ["keyboard_typos:p=0.05", "char_delete:p=0.05", "--grid", "--with-original"]
SECONDS = 2  # an answer has so long
COMPARED = ("noisy.jsonl", "answers.jsonl", "answers.jsonl.manifest.json", "score.json",
            "flips.txt", "page.html")  # fmt: skip


def share(*parts: object) -> float:
    """Return a number in [0, 1) that hangs on these parts alone."""
    digest = hashlib.blake2b(json.dumps(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") / 2**64


class Server(ThreadingHTTPServer):
    """Answers each question in one way for ever, and gets into trouble if it is told to.

    `targets` has the right answer to each question, and whether the question was perturbed.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.targets: dict[str, tuple[str, bool]] = {}
        self.troubled = False
        self.said: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()

    def answer(self, question: str) -> str:
        """Four of five unperturbed questions are answered rightly, and half of the others."""
        target, perturbed = self.targets[question]
        right = share("right", question) < (0.5 if perturbed else 0.8)
        return f"Step by step, that makes {target if right else 4711}."

    def trouble(self, question: str, times: int) -> str:
        """A question is in the same trouble the first one or two times, then in none."""
        found = share("trouble", question)
        if not self.troubled or times > 1 + (found * 1000 % 1 < 0.3):
            return "answered"
        kinds = ((0.02, "429"), (0.07, "500"), (0.09, "dropped"), (0.1, "timed out"))
        return next((kind for limit, kind in kinds if found < limit), "answered")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is gone is nobody's fault."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    server: Server

    def do_POST(self) -> None:
        """Answer, or get into trouble."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = body["messages"][-1]["content"]
        self.server.asked[question] += 1
        kind = self.server.trouble(question, self.server.asked[question])
        self.server.said[kind] += 1
        if kind == "timed out":
            time.sleep(2 * SECONDS)
        if kind in ("dropped", "timed out"):
            self.close_connection = True
            return
        said: dict[str, Any] = {"error": {"message": "not now"}}
        if kind == "answered":
            message = {"role": "assistant", "content": self.server.answer(question)}
            said = {
                "choices": [{"message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": len(question), "completion_tokens": 6},
            }
        data = json.dumps(said).encode()
        self.send_response(200 if kind == "answered" else int(kind))
        if kind == "429":
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing of what was asked."""


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Serve on a port of this machine until the end."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def start(folder: Path, *call: str) -> subprocess.Popen[bytes]:
    """Start a command in a folder."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-c", START, *call],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


def done(folder: Path, *call: str) -> bytes:
    """Run a command to its end; return what it printed."""
    process = start(folder, *call)
    out, error = process.communicate()
    if process.returncode:
        raise SystemExit(f"perturb {' '.join(call)}: {error.decode()}")
    return out


def answers(journal: Path) -> int:
    """Return how many answers a journal holds."""
    return journal.read_bytes().count(b"\n") - 1 if journal.exists() else 0


def kill(folder: Path, call: list[str], after: int) -> int:
    """Start a run, kill it once its journal holds so many answers, and return how many it has."""
    journal = folder / "answers.jsonl.journal"
    process = start(folder, *call)
    while answers(journal) < after:
        if process.poll() is not None:
            raise SystemExit(f"ended before it was killed: {process.stderr.read().decode()}")
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    if (folder / "answers.jsonl").exists():
        raise SystemExit("a killed run left an output")
    return answers(journal)


def whole_way(
    folder: Path, questions: Path, field: str, target: str, server: Server, kills: int
) -> dict[str, Any]:
    """Perturb, ask, score and report in a folder; return what happened on the way.

    A manifest names its input in full, so that the way is gone in one place.
    """
    place = folder.with_name("way")
    place.mkdir()
    found = steps(place, questions, field, target, server, kills)
    place.rename(folder)
    return found


def steps(
    folder: Path, questions: Path, field: str, target: str, server: Server, kills: int
) -> dict[str, Any]:
    """Run each command in turn; those that answer are killed so often on their way."""
    done(folder, "apply", *STEPS, "-i", str(questions), "--field", field, "-o", "noisy.jsonl")
    rows = [json.loads(line) for line in (folder / "noisy.jsonl").read_text("utf-8").splitlines()]
    server.targets = {
        row[field]: (row[target].split()[-1], bool(row["perturbation"]["edits"])) for row in rows
    }
    total = len(rows)
    url = f"http://127.0.0.1:{server.server_port}/v1"
    call = ["run", "noisy.jsonl", "--endpoint", url, "--model", "m", "--field", field,
            "--timeout", str(SECONDS), "-o", "answers.jsonl"]  # fmt: skip
    at = [kill(folder, call, total * (n + 1) // (kills + 1)) for n in range(kills)]
    began = time.monotonic()
    done(folder, *call)
    graded = ["answers.jsonl", "--match", "number", "--target", target]
    (folder / "score.json").write_bytes(done(folder, "score", *graded, "--json"))
    (folder / "flips.txt").write_bytes(done(folder, "flips", *graded, "-n", "20"))
    done(folder, "report", *graded, "-o", "page.html")
    return {"asked": total, "killed_at": at, "seconds": round(time.monotonic() - began, 1)}


def main() -> int:
    """Print the counts; fail if a file differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--questions", type=Path, default=ROOT / "examples/questions.jsonl")
    parser.add_argument("--field", default="question")
    parser.add_argument("--target", default="answer")
    parser.add_argument("--store", action="store_true", help="write the counts to benchmarks/")
    args = parser.parse_args()
    source = args.questions.resolve()
    rows = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as name:
        numbered = Path(name, "questions.jsonl")
        lines = [
            {"id": f"q{n}", args.field: row[args.field], args.target: row[args.target]}
            for n, row in enumerate(rows)
            if any(map(str.isdigit, row[args.target]))  # the others hold no number to compare
        ]
        numbered.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        with serving() as server:
            given = (numbered, args.field, args.target, server)
            calm = whole_way(Path(name, "calm"), *given, kills=0)
            server.troubled = True
            server.said.clear()
            server.asked.clear()
            rough = whole_way(Path(name, "rough"), *given, kills=3)
            said = dict(sorted(server.said.items()))
        digests = {
            file: [hashlib.sha256(Path(name, of, file).read_bytes()).hexdigest()
                   for of in ("calm", "rough")]
            for file in COMPARED
        }  # fmt: skip
    differ = [file for file, (one, other) in digests.items() if one != other]
    found = {
        "questions": len(lines),
        "asked": rough["asked"],
        "killed_at_answers": rough["killed_at"],
        "server_said": said,
        "seconds": {"undisturbed": calm["seconds"], "after the last kill": rough["seconds"]},
        "same_bytes": [file for file in COMPARED if file not in differ],
        "differ": differ,
    }
    print(json.dumps(found, indent=1))
    if args.store and not differ:
        results = ROOT / "benchmarks/results/whole_way.json"
        results.write_text(json.dumps({"file": source.name, **found}, indent=1) + "\n", "utf-8")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
