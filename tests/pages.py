"""Reads a page of `perturb report`: its tables, its figures and its packed flips."""

import base64
import html
import math
import re
import zlib
from html.parser import HTMLParser

import linkage
import orjson
import scipy

from perturb.report.series import Series
from perturb.robustness.grading.grade import by_fields
from perturb.robustness.grading.plan import Grading
from perturb.robustness.linking.sources import listed_source
from perturb.robustness.measures.metric import SCORE
from perturb.robustness.scoring.score import Grader, judge_pairs


def unpacked(text):
    """The rows, as the browser unpacks them."""
    packed = re.search(r'<script type="application/octet-stream" id="data">(.*?)</script>', text)[1]
    return orjson.loads(zlib.decompress(base64.b64decode(packed)))


def flips(text):
    """Each listed flip as an object; see `listed_rows`."""
    return (row for row in listed_rows(text) if row["flip"])


def listed_rows(text):
    """Each listed row as an object, its texts in place of their numbers."""
    data = unpacked(text)
    names = list(data["flips"])
    said = [*data["texts"], None]  # -1 is no text
    for values in zip(*data["flips"].values(), strict=True):
        flip = dict(zip(names, values, strict=True))
        flip["condition"] = data["conditions"][flip["condition"]]["name"]
        flip["metric"] = data["metrics"][flip["metric"]]["name"]
        flip["edits"] = [
            tuple(flip["edits"][at : at + 3]) for at in range(0, len(flip["edits"]), 3)
        ]
        for name in ("original", "text", "written", "target"):
            flip[name] = said[flip[name]]
        for name in ("answers", "cleanAnswers", "read", "cleanRead", "slices"):
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
    judged = judge_pairs(
        [source], Grading(score="score"), Grader(by_fields(list(fields)), {"score": SCORE})
    )
    return Series(name, "scored.jsonl", "", "", [source], judged)


def linked(original_id, score, *, name="typos", p=0.1, steps=None, **given):
    """A perturbed row of "eggs"."""
    known = ("replicate", "original", "edits", "status", "expect", "lean", "condition")
    made = {key: given.pop(key) for key in known if key in given}
    row = linkage.row(original_id, steps or f"{name}@1:p={p}", **made)
    return {**row, "score": score, **given}


def clean(id, score, **fields):
    return {"id": id, "text": "eggs", "score": score, **fields}


def shown(page):
    """The rows that a browser shows."""
    return page.locator(".flips > li")


def all_shown(page):
    """The rows that it shows at last."""
    while page.locator("#more").is_visible():
        page.locator("#more").click()
    return shown(page)


def more(rows):
    """By how much more often rows broke that have something than others of their condition.

    A mean over conditions with the weights of Mantel and Haenszel; in percent, with its interval.
    Each row is its condition, its original, whether it has it, and whether it broke.
    """
    strata = {}
    for condition, original, has, broke in rows:
        strata.setdefault(condition, ([], []))[has].append((original, broke))
    both = [two for two in strata.values() if all(two)]
    if not both:
        return []
    whole = sum(len(a) * len(b) / (len(a) + len(b)) for a, b in both)
    mean, off, kinds = 0.0, {}, (set(), set())
    for others, those in both:
        weight = len(others) * len(those) / (len(others) + len(those)) / whole
        for sign, side in ((-1, others), (1, those)):
            share = sum(broke for _, broke in side) / len(side)
            mean += sign * weight * share
            kinds[sign > 0].update(original for original, _ in side)
            for original, broke in side:
                change = sign * weight * (broke - share) / len(side)
                off[original] = off.get(original, 0.0) + change
    count = len(off)
    squares = sum(one**2 for one in off.values()) + sum(1 / len(one) ** 2 for one in kinds)
    reach = scipy.stats.t.ppf(0.975, count - 1) * math.sqrt(count / (count - 1) * squares)
    return [100 * mean, 100 * (mean - reach), 100 * (mean + reach)]
