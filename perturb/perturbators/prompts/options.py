"""Changes to the options of multiple-choice questions; a note lets the answer follow them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress, product
from typing import Any, Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column, distinct
from perturb.perturbators.declaration import place_perturbator
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
from perturb.values.arrays import Int64

Numbering = Literal["random", "keep", "upper", "lower", "digit", "roman", "roman_upper"]
Brackets = Literal["random", "keep", "dot", "bracket", "brackets", "square"]
Style = tuple[str, tuple[str, str]]
Notes = Mapping[int, Mapping[str, Any]]

_QUESTION = (
    "What is the capital of Australia?\nA. Sydney\nB. Canberra\nC. Perth\nD. None of the above\n"
    "Answer: B"
)


@place_perturbator(
    "option_shuffle",
    version=2,
    summary="Put the options of a multiple-choice question in another order.",
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
    """Move the options, and leave the labels in place; `p` is a share of the questions.

    An answer that the text itself gives by label (Answer: B) follows its option; for one in another
    field see `target` of `augment`. Options at the end such as "none of the above" stay there. A
    question is refused, and the note of the step says why, if an option names others (both A and
    B), spans several lines, or refers to those above it but is not last; or if all are the same.
    Numbers are labels only in a text without lettered options; there any numbered list will do.
    Spans that are carried along keep their places and don't follow an option.

    Args:
        batch: the texts.
        mode: "shuffle" draws a new order; "rotate" moves every option on by one place in replicate
            0, by two in replicate 1 and so on, cyclically: each of n options is once at each place
            in n replicates, or in n - 1 and the original.
        form: "labelled" for options with labels, on lines of their own or not; "lines" for texts
            that consist of options, one a line. A field that is a list of strings needs neither:
            its items are the options.
    """
    whole, found = find(batch, form)
    refusals = [reference(whole, options) or disorder(whole, options) for options in found]
    asked = [not refusal for refusal in refusals]
    questions = _Questions(
        batch,
        found,
        asked,
        lambda options: options.contents[: len(options.names) - held(whole, options)],
    )

    def moved(parts: Chosen) -> Int64:
        """Return for each option the option whose place it takes."""
        free = np.flatnonzero(~questions.answers[parts.rows])
        rows = parts.rows[free]
        group, option = questions.question[rows], questions.option[rows]
        order = (
            shuffled(parts.take(free), group)
            if mode == "shuffle"
            else rotated(group, batch.replicate + 1)
        )
        to = np.arange(len(questions.contents))
        to[option] = option[places(order)]
        return to

    def written(parts: Chosen) -> Strings:
        to, option = moved(parts), questions.option[parts.rows]
        names = questions.names.take(to[option])
        contents = questions.contents.take(places(to)[option])
        answers = questions.answers[parts.rows]
        starts = np.where(answers, names.starts, contents.starts)
        return Strings(batch.codes, starts, np.where(answers, names.ends, contents.ends))

    def note(parts: Chosen) -> Notes:
        to, chosen = moved(parts), distinct(questions.question[parts.rows]).tolist()
        now = {}
        for row in chosen:
            first, names = questions.firsts[row], questions.asked[row].names
            order = (to[first : first + len(names)] - first).tolist()
            now[row] = [(names[place], place) for place in order]
        return questions.notes(whole, now, refusals)

    return questions.sites(written, note)


@place_perturbator(
    "option_labels",
    version=2,
    summary="Relabel the options of a multiple-choice question: (1) for A.",
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
    """Rewrite the labels, and leave the options in place; `p` is a share of the questions.

    All questions of a text get labels of one kind. An answer that the text itself gives by label is
    rewritten too, and so is a list of all labels (Select A, B, or C; A-C); for an answer in another
    field see `target` of `augment`. A question is refused, and the note of the step says why, if an
    option names others (both A and B).

    Args:
        batch: the texts.
        numbering: "upper" (A), "lower" (a), "digit" (1), "roman" (i), "roman_upper" (I); "keep" for
            the present one, "random" for any that gives new labels.
        brackets: "dot" (A.), "bracket" (A)), "brackets" ((A)), "square" ([A]), "keep" or "random".
    """
    whole, found = find(batch, "labelled")
    # The items of a list may have no labels. Lists of all labels are rewritten like answers.
    found = [
        options._replace(answers=options.answers + options.mentions)
        for options in found
        if options.marks
    ]
    refusals = [reference(whole, options) for options in found]
    styles = [
        () if refusal else _styles(options, numbering, brackets)
        for options, refusal in zip(found, refusals, strict=True)
    ]
    questions = _Questions(batch, found, list(map(bool, styles)), lambda options: options.marks)
    styles = list(filter(None, styles))

    def drawn(parts: Chosen) -> dict[int, Style]:
        """Draw the new style of each chosen question, one for a whole text."""
        rows, first = np.unique(questions.question[parts.rows], return_index=True)
        texts = parts.take(first).with_origins(np.zeros_like(first))
        numbers = texts.below(np.array([len(styles[row]) for row in rows.tolist()], np.intp))
        pairs = zip(rows.tolist(), numbers.tolist(), strict=True)
        return {row: styles[row][number] for row, number in pairs}

    def written(parts: Chosen) -> Strings:
        style, rows = drawn(parts), parts.rows
        question = questions.question[rows]
        place = questions.option[rows] - questions.firsts[question]
        columns = (question.tolist(), place.tolist(), questions.answers[rows].tolist())
        return column(
            _label(style[row], number, bare=bare)
            for row, number, bare in zip(*columns, strict=True)
        )

    def note(parts: Chosen) -> Notes:
        now = {
            row: [
                (_label(style, place, bare=True), place)
                for place in range(len(questions.asked[row].names))
            ]
            for row, style in drawn(parts).items()
        }
        return questions.notes(whole, now, refusals)

    return questions.sites(written, note)


def _styles(options: Options, numbering: Numbering, brackets: Brackets) -> tuple[Style, ...]:
    """Return the styles that give these options other labels."""
    present = next(key for key, names in NUMBERINGS.items() if names[0] == options.names[0])
    numberings = {"random": list(NUMBERINGS), "keep": [present]}.get(numbering, [numbering])
    pairs = {"random": list(BRACKETS.values()), "keep": [options.brackets]}.get(brackets)
    styles = product(numberings, pairs or [BRACKETS[brackets]])
    return tuple(style for style in styles if style != (present, options.brackets))


def _label(style: Style, place: int, *, bare: bool) -> str:
    numbering, (before, after) = style
    name = NUMBERINGS[numbering][place]
    return name if bare else f"{before}{name}{after}"


class _Questions:
    """Questions as arrays: their options, and the parts that are replaced.

    Args:
        batch: the texts.
        found: the options of all questions.
        asked: whether each of these questions counts here.
        replaced: gives the spans of a question that are replaced, of as many options as it gives.

    Attributes:
        found: the options of all questions.
        asked: the questions that count here.
        contents: every option of every question.
        names: the label of each, without its brackets.
        firsts: shape (questions,); the number of the first option of each.
        starts: shape (parts,); the start of each part.
        ends: shape (parts,); the end of each.
        option: shape (parts,); the number of the option of each part.
        question: shape (parts,); the number of its question.
        answers: shape (parts,); whether it is an answer in the text.
    """

    def __init__(
        self,
        batch: Batch,
        found: Sequence[Options],
        asked: Sequence[bool],
        replaced: Callable[[Options], Sequence[Span]],
    ) -> None:
        self.found, self.asked = found, list(compress(found, asked))
        sizes = np.array([len(options.names) for options in self.asked], np.intp)
        self.firsts = np.cumsum(sizes) - sizes
        parts = [
            (*span, first + option, row, answer)
            for row, (options, first) in enumerate(zip(self.asked, self.firsts, strict=True))
            for answer, spans in (
                (False, zip(replaced(options), range(len(options.names)), strict=False)),
                (True, options.answers),
            )
            for span, option in spans
        ]
        table = np.array(sorted(parts), np.intp).reshape(-1, 5)
        self.starts, self.ends, self.option, self.question, answers = table.T
        self.answers = answers.astype(np.bool_)
        self.contents, self.names = (
            Strings(batch.codes, *np.array(spans, np.intp).reshape(-1, 2).T)
            for spans in (
                [span for options in self.asked for span in options.contents],
                [span for options in self.asked for span in named(options)],
            )
        )

    def sites(
        self, write: Callable[[Chosen], Strings], note: Callable[[Chosen], Notes]
    ) -> GroupedSites:
        """Return one site for each question."""
        sizes = np.bincount(self.question, minlength=len(self.firsts))
        return GroupedSites(self.starts, self.ends, sizes, "place", write, note)

    def notes(
        self,
        whole: str,
        now: Mapping[int, Sequence[tuple[str, int]]],
        refusals: Sequence[str | None],
    ) -> Notes:
        """Return the notes of the records: the last question's options, and why others are refused.

        `options` has for each option, in the original order: its old label, its new label, its new
        place (from 0), and its text. Questions before the last are examples: their answers are in
        the text.

        Args:
            whole: the code points of the batch as a string.
            now: the label and the place of each option of the chosen questions.
            refusals: why each of the questions that were found is refused.
        """
        last = {options.text: options for options in self.found}
        notes: dict[int, dict[str, Any]] = {}
        for row, labels in now.items():
            options = self.asked[row]
            if last[options.text] is options:
                columns = zip(options.names, labels, options.contents, strict=True)
                notes[options.text] = {
                    "options": [
                        [name, new, place, whole[slice(*span)]]
                        for name, (new, place), span in columns
                    ]
                }
        for options, refusal in zip(self.found, refusals, strict=True):
            if refusal is not None:
                notes.setdefault(options.text, {}).setdefault("refused", []).append(refusal)
        return notes
