"""Text that distracts from the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.phrases import among
from perturb.lexicon.tags import TAG
from perturb.perturbators.declaration import text_perturbator
from perturb.perturbators.people._name_tables import names
from perturb.perturbators.people._names import find_names
from perturb.perturbators.prompts._multiple_choice import ALL_NUMBERINGS, Options
from perturb.perturbators.prompts._questions import find, is_anchor
from perturb.perturbators.shared.character_tables import before_label, is_open
from perturb.perturbators.shared.clauses import tags_of
from perturb.perturbators.shared.english import in_latin_script
from perturb.perturbators.shared.names import has_capital
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

Kind = Literal["numbers", "tautology", "option"]

_STOPS = ".?!…\"'”’)"
# Irrelevant numbers that fit every sentence of the table: plural, and as large as the counts in
# school problems. Set by hand on 22 November 2026.
_SMALLEST, _LARGEST = 3, 97


@text_perturbator(
    "distractor",
    version=9,
    english=True,
    touches={"words", "digits", "punctuation", "space", "layout", "meaning"},
    on_options={"kind": "option"},
    expect="same",
    source="F. Shi et al., Large Language Models Can Be Easily Distracted by Irrelevant Context, "
    "ICML 2023 (numbers); A. Naik et al., Stress Test Evaluation for Natural Language Inference, "
    "COLING 2018 (tautologies); own sentences (wordlists/english/distractors.tsv)",
    example="Janet has nine eggs. She eats two. How many are left?",
)
def distractor(batch: Batch, *, kind: Kind = "numbers") -> Sites:
    """Add a distraction: an irrelevant number, an option, or a tautology.

    Add one distraction to a text; `p` is a share of the texts.

    Args:
        batch: the texts.
        kind: "numbers" puts a sentence with a number before the last question, or after a text
            without a question, on a line of its own if the text has no final stop. It is about a
            person and things in the text, if there are any. "tautology" puts "and true is true" and
            the like at the end of the last sentence; "option" adds an option to a multiple-choice
            question that nobody would choose, with the next label.
    """
    find = {"numbers": _numbers, "tautology": _tautologies, "option": _options}[kind]
    return in_latin_script(batch, find(batch))


def _numbers(batch: Batch) -> Sites:
    """Return a place before the last question of each text, or else after its end."""
    text, places, behind = _before_question(batch)
    found = find_names(batch)
    first = np.searchsorted(found.starts, batch.texts.starts[text])
    named = np.append(found.starts, len(batch.codes))[first] < batch.texts.ends[text]
    people, things = names().spelled.take(np.append(found.rows, 0)[first]), _things(batch, text)
    open_end = behind & is_open(batch, places)

    def written(chosen: Chosen) -> Strings:
        rows = chosen.rows
        draws, numbers = chosen.draw().tolist(), _SMALLEST + chosen.below(_LARGEST - _SMALLEST, 1)
        strangers = _table("person")
        others = [strangers[row] for row in chosen.below(len(strangers), 2).tolist()]
        pairs = zip(people.take(rows).to_list(), others, named[rows].tolist(), strict=True)
        who = [name if known else other for name, other, known in pairs]
        made = map(_sentence, draws, numbers.tolist(), who, things.take(rows).to_list())
        ends = zip(made, behind[rows].tolist(), open_end[rows].tolist(), strict=True)
        return column(
            f"\n{one}" if line else f" {one}" if end else f"{one} " for one, end, line in ends
        )

    return Sites(places, places, "text", written)


def _things(batch: Batch, texts: Int64) -> Strings:
    """Return the first plural noun of each of some texts, "" if it has none."""
    rows = np.flatnonzero(batch.once(tags_of) == TAG["NNS"])
    rows = rows[~has_capital(batch, rows) & ~among(batch, rows, frozenset(_table("no thing")))]
    starts = batch.words.starts[rows]
    first = starts.searchsorted(batch.texts.starts[texts])
    some = np.append(starts, len(batch.codes))[first] < batch.texts.ends[texts]
    starts, ends = np.append(starts, 0), np.append(batch.words.ends[rows], 0)
    first = np.where(some, first, len(rows))
    return Strings(batch.codes, starts[first], ends[first])


def _before_question(batch: Batch) -> tuple[Int64, Int64, Bool]:
    """Return the texts with sentences, the place in each, and whether it is its end."""
    sentences = batch.sentences
    counts = batch.count(sentences.starts)
    (text,) = counts.nonzero()
    (asking,) = (batch.codes[sentences.ends - 1] == ord("?")).nonzero()
    upto = np.searchsorted(batch.text_of(sentences.starts[asking]), text, "right")
    question = np.append(-1, asking)[upto]
    behind = (question < 0) | (sentences.starts[question] < batch.texts.starts[text])
    ends = before_label(batch, sentences.ends[np.cumsum(counts)[text] - 1])
    return text, np.where(behind, ends, sentences.starts[question]), behind


def _sentence(draw: int, number: int, who: str, things: str) -> str:
    templates = _table("things" if things else "numbers")
    template = templates[draw * len(templates) >> 32]
    opens = template.startswith("{who}") or who not in _table("person")
    who = who if opens else who[0].lower() + who[1:]
    return template.format(who=who, n=number, things=things)


def _tautologies(batch: Batch) -> Sites:
    """Return a place before the stop at the end of each text, and before a last "Answer:"."""
    texts = batch.texts.to_list()
    lasts = np.array([len(text.rstrip()) for text in texts], np.intp)
    (some,) = lasts.nonzero()
    starts = batch.texts.starts[some]
    lasts[some] = before_label(batch, starts + lasts[some]) - starts
    ends = zip(texts, lasts.tolist(), strict=True)
    stops = np.array([len(text[:end].rstrip(_STOPS)) for text, end in ends], np.intp)
    (rows,) = stops.nonzero()
    places = batch.texts.starts[rows] + stops[rows]
    options = column(f" {clause}" for clause in _table("tautology"))
    return Sites(places, places, "text", lambda chosen: options.take(chosen.below(len(options))))


def _options(batch: Batch) -> Sites:
    """Return a place after the last option of each text that asks one question with options."""
    found = find(batch, "labelled")
    whole, questions = found.whole, found.options()
    counts = Counter(question.text for question in questions)
    asked = [(q, lead) for q in questions if counts[q.text] == 1 for lead in _leads(whole, q)]
    places = np.array([question.contents[-1][1] for question, _ in asked], np.intp)
    options = _table("option")

    def made(chosen: Chosen) -> Iterator[tuple[Options, str, str]]:
        """Yield each question with what comes before its further option, and that option."""
        pairs = zip(chosen.rows.tolist(), chosen.below(len(options)).tolist(), strict=True)
        for row, which in pairs:
            question, lead = asked[row]
            yield question, lead, _option(whole, options[which], question)

    def written(chosen: Chosen) -> Strings:
        return column(lead + option for _, lead, option in made(chosen))

    def note(chosen: Chosen) -> dict[int, Any]:
        notes = {}
        for question, _, added in made(chosen):
            texts = (whole[slice(*content)] for content in question.contents)
            places = enumerate(zip(question.names, texts, strict=True))
            listed = [[name, name, place, text] for place, (name, text) in places]
            notes[question.text] = {"options": listed, "added": added}
        return notes

    sites = Sites(places, places, "text", written, note=note)
    return found.refusing(batch, sites, [True] * len(questions))


def _leads(whole: str, question: Options) -> Iterator[str]:
    """Yield the separator of the options and the next label, if there is a next one."""
    first, last = question.contents[-2:]
    if is_anchor(whole[slice(*last)]) or whole[last[1]] not in "\0\n\r ":
        return
    if not question.marks:
        yield "\n"  # one item more
        return
    count, (before, after) = len(question.names), question.brackets
    label, gap = question.marks[-1], whole[question.marks[-1][1] : last[0]]
    for labels in ALL_NUMBERINGS.values():
        if labels[:count] == question.names and len(labels) > count:
            yield whole[first[1] : label[0]] + before + labels[count] + after + gap
            return


def _option(whole: str, option: str, question: Options) -> str:
    """Return an option in the form of the one before it."""
    had = whole[slice(*question.contents[-1])]
    content = option[0].upper() + option[1:] if had[:1].isupper() else option
    return content + "." * had.endswith(".")


@cache
def _table(kind: str) -> Sequence[str]:
    return tuple(text for sort, text in read_rows("english", "distractors.tsv") if sort == kind)
