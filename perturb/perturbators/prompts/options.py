"""Changes to the options of multiple-choice questions; a note lets the answer follow them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column, distinct
from perturb.perturbators.prompts._multiple_choice import (
    BRACKETS,
    NUMBERINGS,
    Form,
    Options,
    Span,
    disorder,
    find,
    held,
    named,
    reference,
)
from perturb.perturbators.prompts._permutations import places, rotated, shuffled
from perturb.registry.definition import WHOLE
from perturb.registry.registry import perturbator
from perturb.values.arrays import Bool, Int64

Numbering = Literal["random", "keep", "upper", "lower", "digit", "roman", "roman_upper"]
Brackets = Literal["random", "keep", "dot", "bracket", "brackets", "square"]
Style = tuple[str, tuple[str, str]]
Notes = Mapping[int, Mapping[str, Any]]

_QUESTION = (
    "What is the capital of Australia?\nA. Sydney\nB. Canberra\nC. Perth\nD. None of the above\n"
    "Answer: B"
)


@perturbator(
    "option_shuffle",
    unit="place",
    summary="Put the options of a multiple-choice question in another order.",
    label_risk="medium",
    touches={"order"},
    expect="mapped",
    source="P. Pezeshkpour, E. Hruschka, Large Language Models Sensitivity to The Order of Options "
    "in Multiple-Choice Questions, NAACL Findings 2024",
    intensities=WHOLE,
    example=_QUESTION,
)
def option_shuffle(
    batch: Batch, *, mode: Literal["shuffle", "rotate"] = "shuffle", form: Form = "labelled"
) -> Sites:
    """Move the options, and leave the labels where they are; `p` is a share of the questions.

    An answer that the text itself gives by a label (Answer: B) follows its option; for one in
    another field see `target` of `augment`. Options at the end such as "none of the above"
    stay there. A question is refused, and the note of the step says why, where an option names
    others (both A and B), reaches over several lines, or stands for those above it but is not last.
    Numbers are labels only in a text without lettered options; there any numbered list will do.
    Spans that are carried along stay with their places and do not follow an option.

    Args:
        batch: the texts.
        mode: "shuffle" draws an order that is not the one they have; "rotate" moves every option on
            by one place in replicate 0, by two in replicate 1 and so on, cyclically: of n options
            each stands once at each place in n replicates, or in n - 1 and the original.
        form: "labelled" for options with labels, on lines of their own or not; "lines" for texts
            that are nothing but options, one a line. A field that is a list of strings needs
            neither: its items are the options.
    """
    whole, found = find(batch, form)
    why = [reference(whole, one) or disorder(whole, one) for one in found]
    asked = [one for one, no in zip(found, why, strict=True) if no is None]
    table = _Table.of(batch, asked, lambda one: one.contents[: len(one.names) - held(whole, one)])

    def moved(parts: Chosen) -> Int64:
        """Return for each option the option whose place it takes."""
        rows = parts.rows
        free = np.flatnonzero(~table.answers[rows])
        group, option = table.question[rows][free], table.option[rows][free]
        order = (
            shuffled(parts.take(free), group)
            if mode == "shuffle"
            else rotated(group, batch.replicate + 1)
        )
        made: Int64 = np.arange(len(table.contents))
        made[option] = option[places(order)]
        return made

    def written(parts: Chosen) -> Strings:
        to, rows = moved(parts), parts.rows
        option, answers = table.option[rows], table.answers[rows]
        names, contents = table.names.take(to[option]), table.contents.take(places(to)[option])
        return Strings(
            batch.codes,
            np.where(answers, names.starts, contents.starts),
            np.where(answers, names.ends, contents.ends),
        )

    def note(parts: Chosen) -> Notes:
        to = moved(parts)

        def after(row: int) -> list[tuple[str, int]]:
            first, names = table.firsts[row], asked[row].names
            return [(names[at], at) for at in (to[first : first + len(names)] - first).tolist()]

        return _notes(whole, found, why, table.chosen(parts), asked, after)

    return table.sites(written, note)


@perturbator(
    "option_labels",
    unit="place",
    version=2,
    summary="Label the options of a multiple-choice question in another way: (1) for A.",
    label_risk="medium",
    touches={"letters", "digits", "punctuation"},
    expect="mapped",
    source="M. Sclar et al., Quantifying Language Models' Sensitivity to Spurious Features in "
    "Prompt Design, ICLR 2024 (enumerations and wrappers)",
    intensities=WHOLE,
    example=_QUESTION,
)
def option_labels(
    batch: Batch, *, numbering: Numbering = "random", brackets: Brackets = "random"
) -> Sites:
    """Rewrite the labels, and leave the options where they are; `p` is a share of the questions.

    All questions of a text get labels of one kind. An answer that the text itself gives by a label
    is rewritten too, and so is a list of all labels (Select A, B, or C; A-C); for an answer in
    another field see `target` of `augment`. A question is refused, and the note of the step
    says why, where an option names others (both A and B).

    Args:
        batch: the texts.
        numbering: "upper" (A), "lower" (a), "digit" (1), "roman" (i), "roman_upper" (I); "keep" for
            the one that is there, "random" for any that gives new labels.
        brackets: "dot" (A.), "bracket" (A)), "brackets" ((A)), "square" ([A]), "keep" or "random".
    """
    whole, found = find(batch, "labelled")
    found = [one for one in found if one.marks]  # the items of a list may have no labels
    why = [reference(whole, one) for one in found]
    styles = [
        () if no else _styles(one, numbering, brackets) for one, no in zip(found, why, strict=True)
    ]
    asked = [one for one, style in zip(found, styles, strict=True) if style]
    options = [style for style in styles if style]
    named_again = [one._replace(answers=one.answers + one.mentions) for one in asked]
    table = _Table.of(batch, named_again, lambda one: one.marks)

    def drawn(parts: Chosen) -> dict[int, Style]:
        """Draw the new style of each chosen question, one for a whole text."""
        rows, first = np.unique(table.question[parts.rows], return_index=True)
        texts = parts.take(first).with_origins(np.zeros_like(first))
        numbers = texts.below(np.array([len(options[row]) for row in rows.tolist()], np.int64))
        pairs = zip(rows.tolist(), numbers.tolist(), strict=True)
        return {row: options[row][number] for row, number in pairs}

    def written(parts: Chosen) -> Strings:
        style, rows = drawn(parts), parts.rows
        question, answers = table.question[rows], table.answers[rows]
        place = table.option[rows] - table.firsts[question]
        return column(
            _label(style[row], number, bare=bare)
            for row, number, bare in zip(
                question.tolist(), place.tolist(), answers.tolist(), strict=True
            )
        )

    def note(parts: Chosen) -> Notes:
        style = drawn(parts)

        def after(row: int) -> list[tuple[str, int]]:
            places = range(len(asked[row].names))
            return [(_label(style[row], place, bare=True), place) for place in places]

        return _notes(whole, found, why, list(style), asked, after)

    return table.sites(written, note)


def _styles(options: Options, numbering: Numbering, brackets: Brackets) -> tuple[Style, ...]:
    """Return the styles that give these options other labels."""
    mine = next(key for key, names in NUMBERINGS.items() if names[0] == options.names[0])
    of_mine = options.brackets
    numberings = {"random": list(NUMBERINGS), "keep": [mine]}.get(numbering, [numbering])
    pairs = {"random": list(BRACKETS.values()), "keep": [of_mine]}.get(brackets)
    return tuple(
        style
        for style in product(numberings, pairs or [BRACKETS[brackets]])
        if style != (mine, of_mine)
    )


def _label(style: Style, place: int, *, bare: bool) -> str:
    numbering, (before, after) = style
    name = NUMBERINGS[numbering][place]
    return name if bare else f"{before}{name}{after}"


class _Table(NamedTuple):
    """Questions as arrays: their options, and the parts that are replaced.

    Attributes:
        contents: every option of every question.
        names: the label of each, without its brackets.
        firsts: shape (questions,); the number of the first option of each.
        starts: shape (parts,); where the parts start.
        ends: shape (parts,); where they end.
        option: shape (parts,); the number of the option that each part belongs to.
        question: shape (parts,); and of the question.
        answers: shape (parts,); whether it is an answer in the text.
    """

    contents: Strings
    names: Strings
    firsts: Int64
    starts: Int64
    ends: Int64
    option: Int64
    question: Int64
    answers: Bool

    @classmethod
    def of(
        cls, batch: Batch, asked: Sequence[Options], replaced: Callable[[Options], Sequence[Span]]
    ) -> _Table:
        """Build the table of the questions, with the parts of each that `replaced` gives."""
        sizes = np.array([len(one.names) for one in asked], np.int64)
        firsts = np.cumsum(sizes) - sizes
        parts = [
            (*span, firsts[row] + option, row, answer)
            for row, one in enumerate(asked)
            for answer, spans in (
                (False, zip(replaced(one), range(len(one.names)), strict=False)),
                (True, one.answers),
            )
            for span, option in spans
        ]
        table = np.array(sorted(parts), np.int64).reshape(-1, 5)
        starts, ends, option, question, answers = table.T
        return cls(
            _column(batch, (span for one in asked for span in one.contents)),
            _column(batch, (span for one in asked for span in named(one))),
            firsts,
            starts,
            ends,
            option,
            question,
            answers.astype(np.bool_),
        )

    def sites(
        self, write: Callable[[Chosen], Strings], note: Callable[[Chosen], Notes]
    ) -> GroupedSites:
        """Return one site for each question."""
        sizes = np.bincount(self.question, minlength=len(self.firsts))
        return GroupedSites(self.starts, self.ends, sizes, "place", write, note)

    def chosen(self, parts: Chosen) -> list[int]:
        """Return the numbers of the questions that parts belong to."""
        questions: list[int] = distinct(self.question[parts.rows]).tolist()
        return questions


def _column(batch: Batch, spans: Iterable[Span]) -> Strings:
    starts, ends = np.array(list(spans), np.int64).reshape(-1, 2).T
    return Strings(batch.codes, starts, ends)


def _notes(
    whole: str,
    found: Sequence[Options],
    why: Sequence[str | None],
    chosen: Sequence[int],
    asked: Sequence[Options],
    after: Callable[[int], list[tuple[str, int]]],
) -> Notes:
    """Return the notes of the records: the last question's options, and reasons for refusals.

    `options` has for each option, in the order they had: its label before, its label now, its
    place now (from 0), and its text. Questions before the last are examples: their answers are in
    the text.
    """
    last = {one.text: one for one in found}
    made: dict[int, dict[str, Any]] = {}
    for row in chosen:
        one = asked[row]
        if last[one.text] is one:
            options = zip(one.names, after(row), one.contents, strict=True)
            made[one.text] = {
                "options": [
                    [name, new, place, whole[slice(*span)]] for name, (new, place), span in options
                ]
            }
    for one, no in zip(found, why, strict=True):
        if no is not None:
            made.setdefault(one.text, {}).setdefault("refused", []).append(no)
    return made
