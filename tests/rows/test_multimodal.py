"""Rows with pictures, tool calls and files, as three APIs take them: only texts of users change."""

import json

import pytest

import perturb
from perturb.cli import main

IMAGE = "iVBORw0KGgo+/=" * 9
OPENAI = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "How many hens are there?"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{IMAGE}"}},
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "arguments": '{"a": 1}'}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "sixteen"},
        {"role": "user", "content": "Are all of them brown?"},
    ]
}
ANTHROPIC = {
    "system": "Be brief.",
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "image", "source": {"type": "base64", "data": IMAGE}},
                {
                    "type": "text",
                    "text": "How many hens are there?",
                    "cache_control": {"ttl": "5m"},
                },
            ],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "input": {"n": 1.50}}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "content": [{"type": "text", "text": "16"}]}],
        },
        {"role": "user", "content": "Are all of them brown?"},
    ],
}
GEMINI = {
    "contents": [
        {
            "role": "user",
            "parts": [
                {"inlineData": {"mimeType": "image/png", "data": IMAGE}},
                {"text": "How many hens are there?"},
            ],
        },
        {"role": "model", "parts": [{"functionCall": {"name": "count", "args": {"n": 1}}}]},
        {"role": "user", "parts": [{"functionResponse": {"response": {"n": 16}}}]},
        {"role": "user", "parts": [{"text": "Are all of them brown?"}]},
    ]
}


@pytest.mark.parametrize(
    ("row", "path"),
    [
        (OPENAI, "messages[role=user].content"),
        (ANTHROPIC, "messages[role=user].content"),
        (ANTHROPIC, "messages[*].content[type=text].text"),
        (GEMINI, "contents[role=user].parts"),
        (GEMINI, "contents[role=user].parts[*].text"),
    ],
)
def test_all_else_is_as_it_was(row, path, tmp_path) -> None:
    if path == "messages[*].content[type=text].text":  # content is a list in each message
        row = {"messages": row["messages"][:3]}
    source, out, back = (tmp_path / name for name in ("in.jsonl", "out.jsonl", "back.jsonl"))
    source.write_text(json.dumps({"id": "a", **row}, separators=(",", ":")) + "\n")
    words = ["apply", "case:style=upper", "-p", "1", "--field", path, "-i", str(source)]
    assert main([*words, "-o", str(out)]) == 0
    assert main(["verify", str(out), "-i", str(source)]) == 0
    made = out.read_text("utf-8").replace("HOW MANY HENS ARE THERE?", "How many hens are there?")
    made = made.replace("ARE ALL OF THEM BROWN?", "Are all of them brown?")
    made = made.partition(',"perturbation"')[0].replace('"a#case:style=upper,p=1.0"', '"a"')
    assert made + "}\n" == source.read_text("utf-8")
    assert main(["restore", str(out), "-o", str(back)]) == 0
    assert back.read_bytes() == source.read_bytes()


def test_options_with_labels_are_no_parts(tmp_path, capfd) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(
        '{"choices": [{"label": "A", "text": "red"}, {"label": "B", "text": "blue"}]}\n'
    )
    assert main(["apply", "char_swap", "--field", "choices", "-i", str(source)]) == 1
    assert "name the text in them, such as choices[*].text" in capfd.readouterr().err


def test_parts_in_a_field_with_a_dot_in_its_name():
    """Their records name a path that no keys lead along."""
    row = {"id": "q", "chat.user": [{"type": "text", "text": "one two"}, {"type": "image"}]}
    (made,) = perturb.augment([row], "case:style=upper,p=1", field="chat.user")
    assert made["chat.user"][0]["text"] == "ONE TWO"
    assert perturb.verify(made)
    assert perturb.restored(made) == row
