"""The page that shows what severities are: a table of `p`, and one sentence at each of them."""

from collections.abc import Iterator

import perturb
from perturb.records.edit import html_text, joined, marked
from perturb.registry.severity import RATES

USUAL = {
    "characters": ("keyboard_typos", "human_typos", "ocr", "typo_mix", "case", "whitespace"),
    "words": ("misspelling", "homophone", "synonym", "word_delete", "word_swap"),
}
TEXT = (
    "The meeting about their new contract was moved from Tuesday to Friday, because too many "
    "people could not decide whether the price of forty pounds was right or a very big mistake."
)
HEAD = """\
# Severities

A severity is an error rate that means the same for every step. For steps that replace, insert,
leave out or move whole words it is the share of the words that are touched; for all others that of
the characters. The page of each perturbator has its own `p`, and
[Units and strength](../../explanation/units.md) says how they were measured.
"""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page."""
    yield "reference/tables/severities.md", "\n".join([HEAD, *table(), *pictures()])


def table() -> Iterator[str]:
    """Yield the `p` behind each severity, for the steps that are used most."""
    yield "| severity | " + " | ".join(map(str, RATES)) + " |"
    yield "|---|" + "---|" * len(RATES)
    yield "| error rate | " + " | ".join(f"{rate:.0%}" for rate in RATES.values()) + " |"
    for name in (name for names in USUAL.values() for name in names):
        shares = perturb.describe(name)["severities"]
        cells = [f"{shares[level]:.3g}" if level in shares else "" for level in RATES]
        yield f"| [`{name}`](../perturbators/{name}.md) | " + " | ".join(cells) + " |"
    yield "\nAn empty cell is a rate that can't be reached: not every fifth word has a synonym.\n"


def pictures() -> Iterator[str]:
    """Yield the sentence at each severity, by step."""
    for unit, names in USUAL.items():
        yield f"## Errors in {unit}\n"
        for name in names:
            levels = perturb.describe(name)["severities"]
            rows = "".join(
                f"<dt>{level}</dt><dd>{at(name, level)}</dd>" for level in RATES if level in levels
            )
            yield f'### {name}\n\n<dl class="edits">{rows}</dl>\n'


def at(name: str, severity: int) -> str:
    """Return the sentence at a severity, with its edits marked."""
    record = perturb.apply(TEXT, name, severity=severity, seed=1)
    if not record.edits:
        return html_text(TEXT)
    return marked(record.original, joined(record.original, record.edits), "html")
