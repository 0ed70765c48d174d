"""Lists in texts: how people number options, and items of several lines as one. Private."""

from string import ascii_lowercase, ascii_uppercase

# Options are A, B, C; a, b, c; 1, 2, 3; i, ii, iii; I, II, III.
_ROMAN = (
    "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv "
    "xxv xxvi xxvii xxviii xxix"
)
NUMBERINGS = {
    "upper": tuple(ascii_uppercase),
    "lower": tuple(ascii_lowercase),
    "digit": tuple(map(str, range(1, 30))),
    "roman": tuple(_ROMAN.split()),
    "roman_upper": tuple(_ROMAN.upper().split()),
}


def on_one_line(text: str) -> str:
    """Return a text with control characters in place of its line ends, to keep these byte for byte.

    They are in no text that people publish.
    """
    return text.replace("\n", "\x1e").replace("\r", "\x1f")  # quicker than a table of them


def holds_kept_ends(text: str) -> bool:
    """Return whether a text holds a sign that `on_one_line` writes."""
    return "\x1e" in text or "\x1f" in text


def in_lines(text: str) -> str:
    """Return a text with the line ends that `on_one_line` took."""
    return text.replace("\x1e", "\n").replace("\x1f", "\r")


def run_from(first: str, count: int) -> tuple[str, ...]:
    """Return as many labels as there are options, from the first on; empty if there are fewer."""
    if first == "0":
        return tuple(map(str, range(count)))
    names = next((names for names in NUMBERINGS.values() if names[0] == first), ())
    return names[:count] if len(names) >= count else ()
