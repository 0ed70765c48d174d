"""What requests and replies are: chat completions, OpenAI's responses, Anthropic's messages.

A URL says by the end of its path which it speaks; a base of an API speaks chat completions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from perturb.errors import UsageError
from perturb.evaluation.ask import Reply, TransientError
from perturb.evaluation.questions import Question


class Protocol(NamedTuple):
    """A way to ask.

    Attributes:
        path: how its URLs end.
        body: the body of a request, from the fields that all have and a question.
        headers: those of a request, from the key.
        line: the line of a batch, from its id, the path of the URL and the body.
        requests: how many a file of a batch may hold.
        size: how many bytes.
    """

    path: str
    body: Callable[[Mapping[str, Any], Question], dict[str, Any]]
    headers: Callable[[str], dict[str, str]]
    line: Callable[[str, str, dict[str, Any]], dict[str, Any]]
    requests: int
    size: int


def _completion(body: Mapping[str, Any], question: Question) -> dict[str, Any]:
    return {**body, **question.seed_alone(), "messages": question.content}


def _response(body: Mapping[str, Any], question: Question) -> dict[str, Any]:
    """Return the body for a response; it takes no seed, and calls the limit otherwise."""
    renamed = {"max_output_tokens" if key == "max_tokens" else key: body[key] for key in body}
    return {**renamed, "input": question.content}


def _message(body: Mapping[str, Any], question: Question) -> dict[str, Any]:
    """Return the body for a message, where that of the system stands apart; it takes no seed."""
    if "max_tokens" not in body:
        raise UsageError("messages need a limit: give --max-tokens N")
    system = [one["content"] for one in question.content if one["role"] == "system"]
    told = {"system": "\n\n".join(system)} if system else {}
    rest = [one for one in question.content if one["role"] != "system"]
    return {**body, **told, "messages": rest}


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _versioned(key: str) -> dict[str, str]:
    return {"x-api-key": key, "anthropic-version": "2023-06-01"}


def _addressed(name: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"custom_id": name, "method": "POST", "url": path, "body": body}


def _alone(name: str, _: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"custom_id": name, "params": body}


# The limits of batches are those that the services document.
PROTOCOLS = (
    Protocol("/chat/completions", _completion, _bearer, _addressed, 50_000, 200_000_000),
    Protocol("/responses", _response, _bearer, _addressed, 50_000, 200_000_000),
    Protocol("/messages", _message, _versioned, _alone, 100_000, 256_000_000),
)


def spoken_at(path: str) -> Protocol:
    """Return the protocol of the path of a URL, by default the first."""
    ends = path.rstrip("/")
    return next((each for each in PROTOCOLS if ends.endswith(each.path)), PROTOCOLS[0])


def reply_of(body: Any) -> Reply:
    """Return the reply in the body of a response, whichever protocol it speaks.

    Raises:
        TransientError: it says that there is none, and why.
        ValueError, LookupError, TypeError or AttributeError: it is none.
    """
    if "choices" in body:
        return _of_choices(body)
    status, error = body.get("status"), body.get("error")
    if error is not None or status in ("failed", "cancelled"):
        said = [status, error.get("code"), error.get("message")] if isinstance(error, dict) else []
        raise TransientError(": ".join(map(str, filter(None, said or [status, error]))))
    text, refusal = _texts(body.get("output", [body]))
    ended = body.get("stop_reason") or (body.get("incomplete_details") or {}).get("reason")
    finish = _LIMITS.get(ended or "end_turn", ended)
    if finish == "refusal":
        text, refusal = None, refusal or text or finish
    return Reply(text, _tokens(body.get("usage")), finish, refusal)


# What the services call a limit of tokens, where one word has to do.
_LIMITS = {"max_tokens": "length", "max_output_tokens": "length", "end_turn": "stop"}


def _of_choices(body: Mapping[str, Any]) -> Reply:
    """Return the first choice, which may stand behind others."""
    choice = min(body["choices"], key=lambda each: each.get("index") or 0)
    message = choice["message"]
    refusal, finish = message.get("refusal"), choice.get("finish_reason")
    if not isinstance(refusal, str | None) or not isinstance(finish, str | None):
        raise TypeError
    return Reply(_text(message.get("content")), _tokens(body.get("usage")), finish, refusal or None)


def _texts(items: Any) -> tuple[str | None, str | None]:
    """Return the text and the refusal in messages; their thoughts stand elsewhere."""
    parts = [part for item in items if item["type"] == "message" for part in item["content"]]
    texts = [part["text"] for part in parts if part["type"] in ("text", "output_text")]
    refusals = [part["refusal"] for part in parts if part["type"] == "refusal"]
    return "".join(texts) if texts else None, "".join(refusals) or None


def _text(content: Any) -> str | None:
    """Return the text of a content: a string, or a list of parts, some with text."""
    if isinstance(content, list):
        texts = [part["text"] for part in content if isinstance(part.get("text"), str)]
        if content and not texts:
            raise TypeError
        return "".join(texts) if texts else None
    if not isinstance(content, str | None):
        raise TypeError
    return content


def _tokens(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, dict):
        return None
    names = {"prompt": "input", "completion": "output"}
    counts = {
        ours: usage.get(f"{ours}_tokens", usage.get(f"{theirs}_tokens"))
        for ours, theirs in names.items()
    }
    return {name: count for name, count in counts.items() if type(count) is int} or None
