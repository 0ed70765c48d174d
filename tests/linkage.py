"""Perturbed rows by hand, for tests of what reads them."""

import re

from perturb.records.edit import Edit
from perturb.records.ids import check_of
from perturb.records.notation import written_text
from perturb.values.spans import rebuild


def row(
    original_id, steps="typos@1:p=0.1", *, original="eggs", edits=((3, 4, "z"),), condition=None,
    status="changed", expect="same", replicate=0, lean=False, field="text",
):  # fmt: skip
    """The id, the text and the record of a version of an original, made by edits of it."""
    edits = edits if status == "changed" else ()
    edits = [Edit(start, end, text, original[start:end]) for start, end, text in edits]
    label = re.sub(r"(?<=\w)@\d+", "", steps) if condition is None else condition
    options = f" --field {field}" * (field != "text")
    options += f" --replicate {replicate}" * bool(replicate)
    return {
        "id": f"{original_id}#{label}" + f"#{replicate}" * bool(replicate),
        field: rebuild(original, edits),
        "perturbation": {
            "original_id": str(original_id),
            "original": "" if lean else original,
            "condition": label,
            "status": status,
            "expect": expect,
            "edits": written_text(field, edits),
            "check": check_of([original]),
            "recipe": f"{steps}{options} --contract 4",
        },
    }
