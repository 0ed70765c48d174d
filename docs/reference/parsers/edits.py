"""The edits of a record, read and undone without perturb."""

import json
import re
from urllib.parse import unquote


def parse(edits):
    """Return the edits of each text, (START, OLD, NEW), and what stood in other fields."""
    texts, values = {}, {}
    for change in filter(None, edits.split(";")):
        path, sign, rest = re.fullmatch("([^|=]*)([|=])(.*)", change, re.DOTALL).groups()
        if sign == "=":
            values[decoded(path)] = json.loads(decoded(rest)) if rest else None
            continue
        parts = (re.fullmatch(r"(\d+):(.*)>(.*)", edit, re.DOTALL) for edit in rest.split("|"))
        texts[decoded(path)] = [(int(m[1]), decoded(m[2]), decoded(m[3])) for m in parts]
    return texts, values


def decoded(text):
    """Return what is percent-encoded, with halves of surrogate pairs as they were."""
    return unquote(text, "utf-8", "surrogatepass")


def restore(text, edits):
    """Return the text before its edits."""
    for start, old, new in edits:  # in order: what stands before an edit is restored already
        text = text[:start] + old + text[start + len(new) :]
    return text
