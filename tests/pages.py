"""Reads a page of `perturb report`: its tables, its figures and its packed flips."""

import base64
import html
import re
import zlib
from html.parser import HTMLParser

import linkage
import orjson

from perturb.report.series import Series
from perturb.robustness.grading.grade import by_fields
from perturb.robustness.scoring.score import judge_pairs
from perturb.robustness.scoring.sources import listed_source


def unpacked(text):
    """The flips and the matrix, as the browser unpacks them."""
    packed = re.search(r'<script type="application/octet-stream" id="data">(.*?)</script>', text)[1]
    return orjson.loads(zlib.decompress(base64.b64decode(packed)))


def flips(text):
    """Each listed flip as an object, its texts in place of their numbers."""
    data = unpacked(text)
    names = list(data["flips"])
    said = [*data["texts"], None]  # -1 is no text
    for values in zip(*data["flips"].values(), strict=True):
        flip = dict(zip(names, values, strict=True))
        flip["condition"] = data["conditions"][flip["condition"]]["name"]
        flip["original"] = data["originals"][flip["original"]]
        flip["metric"] = data["metrics"][flip["metric"]]["name"]
        flip["edits"] = [
            tuple(flip["edits"][at : at + 3]) for at in range(0, len(flip["edits"]), 3)
        ]
        for name in ("text", "written", "target"):
            flip[name] = said[flip[name]]
        for name in ("answers", "cleanAnswers", "slices"):
            flip[name] = [said[number] for number in flip[name]]
        yield flip


class _Tables(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.head, self.cell = [], None, None

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "table":
            self.name, self.head = attrs.get("data-figures", "tally"), []
        elif tag == "tr" and self.head is not None:
            self.row = []
        elif tag in ("th", "td"):
            self.cell = {"text": "", "values": []}
        elif tag == "data" and self.cell is not None:
            self.cell["values"].append(float(attrs["value"]))

    def handle_data(self, data):
        if self.cell is not None:
            self.cell["text"] += data

    def handle_endtag(self, tag):
        if tag in ("th", "td"):
            self.row.append({**self.cell, "text": self.cell["text"].strip()})
            self.cell = None
        elif tag == "tr" and self.head is not None:
            if self.head:
                row = dict(zip(self.head, self.row, strict=True))
                self.found.append({"table": self.name, "row": self.row[0]["text"], **row})
            else:
                self.head = [cell["text"] for cell in self.row]
        elif tag == "table":
            self.head = None


def tables(text):
    """Each row of each table: its table, its name, and by column the text and the figures."""
    reader = _Tables()
    reader.feed(text)
    return reader.found


def commands(text):
    return [html.unescape(one) for one in re.findall(r"<code>(perturb .*?)</code>", text)]


def series(rows, fields=("score",), name=""):
    source = listed_source(rows)
    judged = judge_pairs([source], by_fields(list(fields)))
    return Series(name, "scored.jsonl", "", "", [source], judged)


def linked(original_id, score, *, name="typos", p=0.1, steps=None, **given):
    """A perturbed row of "eggs"."""
    known = ("replicate", "original", "edits", "status", "expect", "lean", "condition")
    made = {key: given.pop(key) for key in known if key in given}
    row = linkage.row(original_id, steps or f"{name}@1:p={p}", **made)
    return {**row, "score": score, **given}


def clean(id, score, **fields):
    return {"id": id, "text": "eggs", "score": score, **fields}
