"""A server of chat completions that costs as little as it can: one answer to every request.

    python benchmarks/chat_server.py

It prints its port, and serves until it is killed.
"""

import asyncio
import json

CHOICE = {
    "message": {"role": "assistant", "content": "The answer is 42."},
    "finish_reason": "stop",
}
USAGE = {"prompt_tokens": 90, "completion_tokens": 6, "total_tokens": 96}
ANSWER = json.dumps({"object": "chat.completion", "choices": [CHOICE], "usage": USAGE}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
RESPONSE = HEAD % len(ANSWER) + ANSWER


class Connection(asyncio.Protocol):
    """Reads requests by their Content-Length, and answers each at once."""

    def connection_made(self, transport):
        self.transport, self.read = transport, b""

    def data_received(self, data):
        self.read += data
        while True:
            head, blank, rest = self.read.partition(b"\r\n\r\n")
            if not blank:
                return
            size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            if len(rest) < size:
                return
            self.read = rest[size:]
            self.transport.write(RESPONSE)


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
