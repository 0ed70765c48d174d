"""A real server on this machine that speaks chat completions, and gets into trouble as told."""

import contextlib
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROWS = [
    {"id": f"r{n}", "text": f"question {n}", "target": n, "deep": {"x": [1.5]}} for n in range(20)
]
BUSY = {"error": {"message": "busy"}}


def completion(answer, **more):
    """What an endpoint says when all is well."""
    words = len(str(answer).split())
    return {
        "object": "chat.completion",
        "choices": [{"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": words, "total_tokens": 10 + words},
        **more,
    }


def echo(body):
    """The answer by default: the last message, and the seed if there is one."""
    seed = f" [{body['seed']}]" if "seed" in body else ""
    return "You said: " + body["messages"][-1]["content"] + seed


class Endpoint(ThreadingHTTPServer):
    """Answers requests, and remembers them.

    `trouble(body, times)` is asked first, with the number of times that this request came before;
    it returns None for an answer as usual, "drop" to close the connection, or a status, headers and
    a body.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.requests = []
        self.headers = []
        self.paths = set()
        self.times = Counter()
        self.under_way = self.most_under_way = 0
        self.trouble = lambda body, times: None
        self.answer = echo
        self._lock = threading.Lock()

    def take(self, body, headers):
        """Remember a request, and decide on it."""
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            name = json.dumps([body.get("messages", body.get("input")), body.get("seed")])
            times = self.times[name]
            self.times[name] += 1
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return self.trouble(body, times) or (200, {}, completion(self.answer(body)))
        finally:
            with self._lock:
                self.under_way -= 1

    @property
    def asked(self):
        """The last message of each request, in the order they came."""
        return [body["messages"][-1]["content"] for body in self.requests]

    def handle_error(self, request, client_address):
        """A client that is gone is nobody's fault."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.paths.add(self.path)
        decided = self.server.take(body, dict(self.headers))
        if decided == "drop":
            self.close_connection = True
            return
        status, headers, said = decided
        data = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving():
    """Serve on a port of this machine until the end."""
    with Endpoint() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def with_defaults(arguments, **options):
    """Return arguments after the options that they don't give themselves."""
    given = {
        f"-{name}" if len(name) == 1 else f"--{name}": value for name, value in options.items()
    }
    left = ((name, value) for name, value in given.items() if name not in arguments)
    return [*(word for pair in left for word in pair), *arguments]


def refuse_two(body, times):
    """Refuse two of the questions for good."""
    refused = body["messages"][-1]["content"] in ("question 3", "question 11")
    return (400, {}, {"error": {"message": "the prompt is too long"}}) if refused else None
