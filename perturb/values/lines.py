"""Items of several lines as one line, in texts that hold an item a line. Private."""

# Control characters stand for line ends, since those of a text are kept byte for byte and these are
# in none that people publish.
ON_ONE_LINE = str.maketrans("\n\r", "\x1e\x1f")
IN_LINES = str.maketrans("\x1e\x1f", "\n\r")
