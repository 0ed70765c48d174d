"""How a verdict is printed: its form, its colours, and the rules that it has to pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.boundary import Escaped, display, opened, visible
from perturb.cli.talk import say, takes_colours
from perturb.robustness.grading.ways import way_of
from perturb.robustness.tables.formats import FORMS, WIDTH, VerdictWord, as_pieces

if TYPE_CHECKING:
    from perturb.robustness.grading.plan import Grading
    from perturb.robustness.tables.formats import Shown
    from perturb.robustness.tables.gate import Gated, Rule

_WORDS = {
    31: "worse, B loses more, insensitive, invents, A reacts more, A abstains more, loses",
    34: "better, A loses more, B reacts more, B abstains more, A tolerates more, B tolerates more",
    32: "robust, no worse, B loses no more, same, sensitive, abstains, B reacts no less"
    ", same reaction, B abstains no less, same abstention, tolerates",
    33: "undecided",
    35: "cannot judge",
    2: "control",
    0: "tolerance",
}
_COLOURS = {word: colour for colour, words in _WORDS.items() for word in words.split(", ")}
_FAILED = 3


_FORMS = ",".join(FORMS)
FORM = f"""\
--format {{{_FORMS}}} [table]  the form of the output
| --json
| --csv"""
# Forms for citing a verdict, besides the forms of every table.
CARDS = ("card", "model-index")
FORM_OR_CARD = FORM.replace(_FORMS, ",".join([_FORMS, *CARDS]))
JUNIT = "--junit FILE  also write the rules as JUnit test cases"


class Output(NamedTuple):
    """How a verdict is printed.

    Attributes:
        command: the name of the command.
        format: the form of the output.
        wide: whether the table shows all measures.
        rules: what the verdict has to pass.
        junit: the file for the rules as test cases; None for none.
    """

    command: str
    format: str
    wide: bool = False
    rules: Sequence[Rule] = ()
    junit: str | None = None

    def pieces(self, results: Shown) -> list[str]:
        """Return a verdict, a comparison or a plan in pieces, in this form.

        Each verdict word stays a piece until it is printed, so that escaping doesn't touch its
        colour.
        """
        if self.format == "table":
            return as_pieces(results._table(self.wide), None if self.wide else WIDTH)
        return [FORMS[self.format](results, self.wide)]

    def print(self, conditions: Sequence[Gated], pieces: Sequence[str], results: Shown) -> int:
        """Print a verdict and the rules that it breaks, and return the status of the command.

        Args:
            conditions: the conditions that the rules apply to.
            pieces: the verdict as `pieces` gives it.
            results: the verdict, whose words the test cases repeat.
        """
        from perturb.robustness.tables.gate import junit, markdown

        checked = [(rule, rule.checked(conditions)) for rule in self.rules]
        print_pieces(pieces)
        if checked and self.format == "md":
            display("\n" + markdown(checked))
        failures = [check.failure for _, checks in checked for check in checks if check.failure]
        for failure in failures:
            say(f"fails: {failure}")
        if self.junit is not None:
            with opened(self.junit, "wb") as file:
                words = results.sentence, checked, conditions, results.hints
                file.write(junit(f"perturb {self.command}", *words).encode())
        return _FAILED if failures else 0


def output_of(
    command: str,
    grading: Grading,
    /,
    *,
    format: str,
    fail_if: Sequence[str] = (),
    junit: str | None = None,
    wide: bool = False,
    **_: Any,
) -> Output:
    """Return how the options of a command say that a verdict is printed.

    Rules are read first, so that a wrong one costs no time.
    """
    rules: list[Rule] = []
    if fail_if:
        from perturb.robustness.tables.gate import rule_of

        way = grading.way
        free = not isinstance(way, str) or way.startswith(("python:", "corpus:"))
        free = free or not way_of(str(way)).higher_is_better
        shares = not (grading.reads_scores or free)  # all other ways score from 0 to 1
        rules = [rule_of(text, shares=shares) for text in fail_if]
    return Output(command, format, wide, rules, junit)


def print_pieces(pieces: Sequence[str]) -> None:
    """Print the pieces of a text, verdicts in colour and control characters of others escaped."""
    coloured = takes_colours()
    shown = (
        f"\x1b[{_COLOURS[piece.kind]}m{piece}\x1b[0m"
        if coloured and isinstance(piece, VerdictWord)
        else visible(piece)
        for piece in pieces
    )
    display(Escaped("".join(shown)))
