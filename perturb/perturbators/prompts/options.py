"""Changes to the options of multiple-choice questions; a note lets the answer follow them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import compress, product
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from perturb.engine.answers import Permuted
from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column, ranges
from perturb.perturbators.declaration import place_perturbator
from perturb.perturbators.prompts._multiple_choice import ALL_NUMBERINGS, BRACKETS, Form, Options
from perturb.perturbators.prompts._permutations import places, rotated, shuffled
from perturb.perturbators.prompts._questions import Questions, find
from perturb.registry.definition import WHOLE, Range
from perturb.values.arrays import Bool, Int64, distinct
from perturb.values.lists import NUMBERINGS

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
    version=4,
    touches={"order"},
    on_options={},
    expect="mapped",
    source="P. Pezeshkpour, E. Hruschka, Large Language Models Sensitivity to The Order of Options "
    "in Multiple-Choice Questions, NAACL Findings 2024",
    intensities=WHOLE,
    example=_QUESTION,
)
def option_shuffle(
    batch: Batch,
    *,
    mode: Literal["shuffle", "rotate"] = "shuffle",
    form: Form = "labelled",
    keep_last: Annotated[int, Range(0, 25)] = 0,
) -> Sites:
    """Put the options of a multiple-choice question in another order.

    Move the options, and leave the labels in place; `p` is a share of the questions.

    An answer that the text itself gives by label (Answer: B) follows its option; for one in another
    field see `target` of `augment`. Options at the end such as "none of the above", in eleven
    languages, stay there, and so does each that is protected. A question is refused, and the note
    of the step says why, if an option names others (both A and B, the first two), spans several
    lines, or refers to those above it but is not last; or if all are the same.
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
        keep_last: how many options at the end stay there.
    """
    questions = find(batch, form)
    movable, disorders = questions.movable(keep_last)
    pairs = zip(questions.references(), disorders, strict=True)
    refusals = [reference or disorder for reference, disorder in pairs]
    asked = [refusal is None for refusal in refusals]
    parts = _parts(questions, asked, questions.contents, movable)

    @cache
    def moved(chosen: Chosen) -> Int64:
        """Return for each option the option whose place it takes."""
        free = np.flatnonzero(~parts.answers[chosen.rows])
        option = parts.option[chosen.rows[free]]
        group = questions.question[option]
        if mode == "shuffle":
            order = shuffled(chosen.take(free), group)
        else:
            order = rotated(group, batch.replicate + 1)
        to = np.arange(len(questions.contents))
        to[option] = option[places(order)]
        return to

    def written(chosen: Chosen) -> Strings:
        to, option = moved(chosen), parts.option[chosen.rows]
        contents = questions.contents.take(places(to)[option])
        starts, ends = contents.starts.copy(), contents.ends.copy()
        answers = np.flatnonzero(parts.answers[chosen.rows])
        for part, number in zip(answers.tolist(), to[option[answers]].tolist(), strict=True):
            starts[part], ends[part] = questions.label(number)
        return Strings(batch.codes, starts, ends)

    def note(chosen: Chosen) -> Notes:
        rows = distinct(questions.question[parts.option[chosen.rows]])
        sizes, firsts = questions.sizes[rows], questions.firsts[rows]
        to = moved(chosen)[ranges(firsts, sizes)] - firsts.repeat(sizes)

        def notes() -> Notes:
            pairs = zip(rows.tolist(), of_texts.orders(), strict=True)
            now = {row: [(questions.names[row][at], at) for at in order] for row, order in pairs}
            return _notes(questions, now, refusals)

        of_texts = Permuted(questions.texts[rows], np.cumsum(sizes) - sizes, to, notes)
        # An option with a label moves without it, and a text may have several questions of these.
        return notes() if any(questions.labelled) else of_texts

    sites = parts.sites(written, note, ~parts.answers)
    return questions.refusing(batch, sites, [refusal is not None for refusal in refusals])


@place_perturbator(
    "option_labels",
    version=4,
    touches={"letters", "digits", "punctuation"},
    on_options={},
    expect="mapped",
    source="M. Sclar et al., Quantifying Language Models' Sensitivity to Spurious Features in "
    "Prompt Design, ICLR 2024 (enumerations and wrappers)",
    intensities=WHOLE,
    example=_QUESTION,
)
def option_labels(
    batch: Batch, *, numbering: Numbering = "random", brackets: Brackets = "random"
) -> Sites:
    """Relabel the options of a multiple-choice question: (1) for A.

    Rewrite the labels, and leave the options in place; `p` is a share of the questions.

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
    questions = find(batch, "labelled")
    # The items of a list may have no labels.
    pairs = zip(questions.labelled, questions.references(), strict=True)
    refusals = [options and refusal for options, refusal in pairs]
    styles = [
        _styles(options, numbering, brackets) if options and refusal is None else ()
        for options, refusal in zip(questions.labelled, refusals, strict=True)
    ]
    spans = [
        span
        for options, names in zip(questions.labelled, questions.names, strict=True)
        for span in (options.marks if options else [(0, 0)] * len(names))
    ]
    marks = Strings(batch.codes, *np.array(spans, np.intp).reshape(-1, 2).T)
    parts = _parts(questions, list(map(bool, styles)), marks, mentions=True)

    def drawn(chosen: Chosen) -> dict[int, Style]:
        """Draw the new style of each chosen question, one for a whole text."""
        question = questions.question[parts.option[chosen.rows]]
        rows, first = np.unique(question, return_index=True)
        texts = chosen.take(first).with_origins(np.zeros_like(first))
        numbers = texts.below(np.array([len(styles[row]) for row in rows.tolist()], np.intp))
        pairs = zip(rows.tolist(), numbers.tolist(), strict=True)
        return {row: styles[row][number] for row, number in pairs}

    def written(chosen: Chosen) -> Strings:
        style, option = drawn(chosen), parts.option[chosen.rows]
        question = questions.question[option]
        place = option - questions.firsts[question]
        alone = parts.answers[chosen.rows]
        labels = zip(question.tolist(), place.tolist(), alone.tolist(), strict=True)
        return column(_label(style[row], number, bare=bare) for row, number, bare in labels)

    def note(chosen: Chosen) -> Notes:
        now = {}
        for row, style in drawn(chosen).items():
            places = range(len(questions.names[row]))
            now[row] = [(_label(style, place, bare=True), place) for place in places]
        return _notes(questions, now, refusals)

    sites = parts.sites(written, note)
    return questions.refusing(batch, sites, [refusal is not None for refusal in refusals])


def _styles(options: Options, numbering: Numbering, brackets: Brackets) -> tuple[Style, ...]:
    """Return the styles that give these options other labels."""
    present = next(key for key, names in ALL_NUMBERINGS.items() if names[0] == options.names[0])
    numberings = {"random": list(NUMBERINGS), "keep": [present]}.get(numbering, [numbering])
    pairs = {"random": list(BRACKETS.values()), "keep": [options.brackets]}.get(brackets)
    styles = product(numberings, pairs or [BRACKETS[brackets]])
    return tuple(style for style in styles if style != (present, options.brackets))


def _label(style: Style, place: int, *, bare: bool) -> str:
    numbering, (before, after) = style
    name = ALL_NUMBERINGS[numbering][place]
    return name if bare else f"{before}{name}{after}"


class _Parts(NamedTuple):
    """The parts of questions that are replaced; every array has an entry for each.

    Attributes:
        starts: where it starts.
        ends: where it ends.
        option: the number of its option.
        answers: whether it is an answer in the text.
        sizes: shape (questions,); how many parts each question has that has some.
    """

    starts: Int64
    ends: Int64
    option: Int64
    answers: Bool
    sizes: Int64

    def sites(
        self,
        write: Callable[[Chosen], Strings],
        note: Callable[[Chosen], Notes],
        spare: Bool | None = None,
    ) -> GroupedSites:
        """Return one site for each question; see `GroupedSites`."""
        return GroupedSites(self.starts, self.ends, self.sizes, "place", write, note, spare)


def _parts(
    questions: Questions,
    asked: Sequence[bool],
    places: Strings,
    moves: Bool | None = None,
    *,
    mentions: bool = False,
) -> _Parts:
    """Return the parts of questions that are replaced.

    Args:
        questions: the questions.
        asked: whether each counts here.
        places: what of each option is replaced.
        moves: the options that are replaced; None for all.
        mentions: whether lists of all labels are rewritten like answers.
    """
    counted = np.array(asked, np.bool_)[questions.question]
    option = np.flatnonzero(counted if moves is None else counted & moves)
    pairs = zip(questions.labelled, questions.firsts.tolist(), strict=True)
    said = [
        (*span, first + number)
        for options, first in compress(pairs, asked)
        if options is not None
        for span, number in options.answers + options.mentions * mentions
    ]
    table = np.array(said, np.intp).reshape(-1, 3).T
    own = places.starts[option], places.ends[option], option
    starts, ends, option = map(np.append, own, table)
    order = np.argsort(starts, kind="stable")
    option = option[order]
    sizes = np.bincount(questions.question[option], minlength=1)
    is_answer = order >= len(own[0])
    return _Parts(starts[order], ends[order], option, is_answer, sizes[sizes > 0])


def _notes(
    questions: Questions,
    now: Mapping[int, Sequence[tuple[str, int]]],
    refusals: Sequence[str | None],
) -> Notes:
    """Return the notes of the records: the last question's options, and why others are refused.

    `options` has for each option, in the original order: its old label, its new label, its new
    place (from 0), and its text. Questions before the last are examples: their answers are in
    the text.

    Args:
        questions: the questions.
        now: the label and the place of each option of the chosen questions.
        refusals: why each of the questions is refused.
    """
    texts = questions.texts.tolist()
    last = {text: row for row, text in enumerate(texts)}
    notes: dict[int, dict[str, Any]] = {}
    contents = questions.contents.to_list()
    for row, labels in now.items():
        if last[texts[row]] == row:
            first, names = int(questions.firsts[row]), questions.names[row]
            columns = zip(names, labels, contents[first : first + len(names)], strict=True)
            notes[texts[row]] = {
                "options": [[name, new, place, text] for name, (new, place), text in columns]
            }
    for text, refusal in zip(texts, refusals, strict=True):
        if refusal is not None:
            notes.setdefault(text, {}).setdefault("refused", []).append(refusal)
    return notes
