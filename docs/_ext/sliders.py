"""Texts that a slider moves through every strength, and the commands that give them.

Edits are nested: those at one `p` are among those at a greater one. So a page holds for each edit
the `p` from which on it is made, and a script of ten lines shows the text at any. Without the
script the page shows it at the strength where the slider stands at first.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import perturb
from perturb.cli.examples import versions
from perturb.records.edit import html_text, marked

STEPS = 100
FIRST = 4  # the severity that is shown first
GALLERY_P = 0.3  # much, since the examples are short
GALLERY = """\
# Gallery

Every perturbator on a text that it changes. The slider moves the strength of all: what is marked at
a smaller `p` stays marked at a greater one. A name leads to the page of the perturbator.
"""
TYPED = {
    "in a shell": "perturb apply {name} -p {p} -i rows.jsonl -o perturbed.jsonl",
    "in Python": 'perturb.apply(text, "{name}", p={p})',
    "in a YAML file": "steps:\n  - {name}: {{p: {p}}}",
}


def slider(facts: Mapping[str, Any]) -> str:
    """Return the example of a perturbator at a `p` that can be moved, and what to type for it."""
    p = first_p(facts)
    ticks = "".join(f'<option value="{share:g}">' for share in facts["severities"].values())
    typed = "".join(
        f'<dt>{where}</dt><dd><div class="highlight"><pre>'
        f"{command(form, facts['name'], p)}</pre></div></dd>"
        for where, form in TYPED.items()
    )
    return whole(
        f'<div class="at-p">{handle(p)}<datalist id="severities">{ticks}</datalist>'
        f"{text_at(facts, p)}<dl>{typed}</dl></div>"
    )


def gallery(families: Mapping[str, Sequence[str]]) -> str:
    """Return the page with the examples of all perturbators at one `p`."""
    parts = [GALLERY, whole(f'<div class="at-p all">{handle(GALLERY_P)}</div>')]
    for family, names in families.items():
        rows = "".join(
            f'<dt><a href="{name}.html">{name}</a></dt>'
            f"<dd>{text_at(perturb.describe(name), GALLERY_P)}</dd>"
            for name in names
        )
        parts += [f"## {family}\n", whole(f'<dl class="edits">{rows}</dl>')]
    return "\n".join(parts)


def handle(p: float) -> str:
    """Return the slider itself."""
    return (
        f'<label><code>p</code> <input type="range" max="1" step="{1 / STEPS}" value="{p:g}" '
        f'list="severities"> <output>{p:g}</output></label>'
    )


def first_p(facts: Mapping[str, Any]) -> float:
    """Return the `p` that is shown first: where a severity has none, that of every unit."""
    least = min(thresholds(facts["name"]).values(), default=1.0)
    return max(facts["severities"].get(FIRST, 1.0), least)


def command(form: str, name: str, p: float) -> str:
    """Return what is typed, as HTML whose `p` the slider moves."""
    before, _, behind = html_text(form.format(name=name, p="\0")).partition("\0")
    return f"{before}<b>{p:g}</b>{behind}"


def text_at(facts: Mapping[str, Any], p: float) -> str:
    """Return the example with its edits marked; those of a greater `p` are there, and off."""
    original, at, parts = facts["example"], 0, []
    for edit, least in sorted(thresholds(facts["name"]).items()):
        off = ' class="off"' if least > p else ""
        parts += [html_text(original[at : edit.start]), f'<span data-p="{least:g}"{off}>']
        moved = edit._replace(start=0, end=len(edit.removed))
        parts += [marked(edit.removed, [moved], "html"), "</span>"]
        at = edit.end
    return f"<p>{''.join(parts)}{html_text(original[at:])}</p>"


@cache
def thresholds(name: str) -> dict[perturb.Edit, float]:
    """Return the edits of the example at `p` = 1, each with the `p` from which on it is made."""
    text = perturb.describe(name)["example"]
    seed = versions(name)[0][1].seed
    least: dict[perturb.Edit, float] = {}

    @cache
    def made(n: int) -> set[perturb.Edit]:
        return {*perturb.apply(text, name, p=n / STEPS, seed=seed).edits}

    def look(low: int, high: int) -> None:
        """Find those from which on edits are made that only the higher one has: they are nested."""
        new = made(high) - made(low)
        if new and high - low > 1:
            middle = (low + high) // 2
            look(low, middle)
            look(middle, high)
        else:
            least.update(dict.fromkeys(new, high / STEPS))

    look(0, STEPS)
    return least


def whole(html: str) -> str:
    """Return HTML without an empty line, at which Markdown would end it."""
    return html.replace("\n", "&#10;") + "\n"
