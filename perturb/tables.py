"""The word tables in the wheel: where they are and how a row is read."""

from __future__ import annotations

from pathlib import Path


def path(*parts: str) -> Path:
    """Return the path of a table, whether the package is installed or runs from a checkout.

    Args:
        parts: folders and file name under `wordlists/`.

    Raises:
        FileNotFoundError: there is no such table.

    Examples:
        >>> path("stop_words.tsv").name
        'stop_words.tsv'
    """
    inside = Path(__file__).parent / "wordlists"
    root = inside if inside.is_dir() else Path(__file__).parents[1] / "wordlists"
    found = root.joinpath(*parts)
    if not found.is_file():
        raise FileNotFoundError(
            f"word table {'/'.join(parts)!r} is missing from {root}: reinstall perturb"
        )
    return found


def read_rows(*parts: str) -> list[list[str]]:
    """Read a table: header lines that begin with `# `, one blank line, tab-separated rows.

    Args:
        parts: folders and file name under `wordlists/`.

    Returns:
        The fields of each row, raw.

    Raises:
        FileNotFoundError: there is no such table.
        ValueError: the file has no blank line after its header.

    Examples:
        >>> read_rows("names.tsv")[0]
        ['a']
    """
    text = path(*parts).read_text("utf-8")
    header, blank, body = text.partition("\n\n")
    if not blank or not header.startswith("# "):
        raise ValueError(f"word table {'/'.join(parts)!r} is damaged, no header: reinstall perturb")
    return [line.split("\t") for line in body.splitlines()]
