"""Text that leads away from what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.perturbators.people._first_names import find_names, names
from perturb.perturbators.prompts._multiple_choice import NUMBERINGS, Options, find, held
from perturb.perturbators.shared.english import Language, in_english, in_other_script
from perturb.registry.definition import WHOLE
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

Kind = Literal["numbers", "tautology", "option"]

_STOPS = ".?!…\"'”’)"
# Who stands in a sentence where a text has no first name.
_OTHERS = ("My uncle", "The neighbor", "An old friend", "A colleague")
_SMALLEST, _LARGEST = 3, 97


@perturbator(
    "distractor",
    unit="text",
    summary="Add what leads astray: an irrelevant number, an option, or that true is true.",
    label_risk="high",
    languages=("en",),
    touches={"words", "digits", "punctuation", "space", "layout", "meaning"},
    expect="same",
    source="F. Shi et al., Large Language Models Can Be Easily Distracted by Irrelevant Context, "
    "ICML 2023 (numbers); A. Naik et al., Stress Test Evaluation for Natural Language Inference, "
    "COLING 2018 (tautologies); own sentences (wordlists/english/distractors.tsv)",
    intensities=WHOLE,
    example="Janet has nine eggs. She eats two. How many are left?",
)
def distractor(batch: Batch, *, kind: Kind = "numbers", language: Language = "auto") -> Sites:
    """Add one distraction to a text; `p` is a share of the texts.

    Args:
        batch: the texts.
        kind: "numbers" puts a sentence with a number before the last question, or behind a text
            that asks none, about a person whom the text names, if it names one; "tautology" puts
            "and true is true" and its like at the end of the last sentence; "option" adds an option
            to a multiple-choice question that nobody would choose, with the next label.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    find = {"numbers": _numbers, "tautology": _tautologies, "option": _options}[kind]
    sites = find(batch)
    sites = sites.keep(~in_other_script(batch)[batch.text_of(sites.starts)])
    return in_english(batch, sites, language)


def _numbers(batch: Batch) -> Sites:
    """Return a place before the last question of each text, or else behind its end."""
    text, places, behind = _before_question(batch)
    found = find_names(batch)
    first = np.searchsorted(found.starts, batch.texts.starts[text])
    named = np.append(found.starts, len(batch.codes))[first] < batch.texts.ends[text]
    rows = np.append(found.rows, 0)[first]
    spelled = names().spelled
    options = _table("numbers")

    def written(chosen: Chosen) -> Strings:
        at = chosen.rows
        which = chosen.below(len(options)).tolist()
        numbers = (_SMALLEST + chosen.below(_LARGEST - _SMALLEST, 1)).tolist()
        others = chosen.below(len(_OTHERS), 2).tolist()
        known = spelled.take(rows[at]).to_list()
        people = (
            name if own else _OTHERS[other]
            for name, own, other in zip(known, named[at].tolist(), others, strict=True)
        )
        triples = zip(which, numbers, people, strict=True)
        made = (_sentence(options[row], number, who) for row, number, who in triples)
        ends = behind[at].tolist()
        return column(f" {one}" if end else f"{one} " for one, end in zip(made, ends, strict=True))

    return Sites(places, places, "text", written)


def _before_question(batch: Batch) -> tuple[Int64, Int64, Bool]:
    """Return the texts with sentences, the place in each, and whether it is its end."""
    sentences = batch.sentences
    (text,) = batch.count(sentences.starts).nonzero()
    (asking,) = (batch.codes[sentences.ends - 1] == ord("?")).nonzero()
    upto = np.searchsorted(batch.text_of(sentences.starts[asking]), text, "right")
    last = np.append(-1, asking)[upto]
    behind = (last < 0) | (sentences.starts[last] < batch.texts.starts[text])
    counts = np.cumsum(batch.count(sentences.starts))[text]
    places = np.where(behind, sentences.ends[counts - 1], sentences.starts[last])
    return text, places, behind


def _sentence(template: str, number: int, who: str) -> str:
    opens = template.startswith("{who}") or who not in _OTHERS
    person = who if opens else who[0].lower() + who[1:]
    return template.format(who=person, n=number)


def _tautologies(batch: Batch) -> Sites:
    """Return a place before the stop at the end of each text."""
    texts = batch.texts.to_list()
    ends = [len(text.rstrip()) for text in texts]
    stops = [len(text[:end].rstrip(_STOPS)) for text, end in zip(texts, ends, strict=True)]
    rows = np.flatnonzero(np.array([stop > 0 for stop in stops], np.bool_))
    places = batch.texts.starts[rows] + np.array(stops, np.int64)[rows]
    options = column(f" {one}" for one in _table("tautology"))
    return Sites(places, places, "text", lambda chosen: options.take(chosen.below(len(options))))


def _options(batch: Batch) -> Sites:
    """Return a place behind the last option of each text that asks one question with options."""
    whole, questions = find(batch, "labelled")
    last_of = {question.text: question for question in questions}
    several = {one.text for one in questions if last_of[one.text] is not one}
    asked = [(q, lead) for q in questions if q.text not in several for lead in _leads(whole, q)]
    places = np.array([question.contents[-1][1] for question, _ in asked], np.int64)
    options = _table("option")

    def written(chosen: Chosen) -> Strings:
        pairs = zip(chosen.rows.tolist(), chosen.below(len(options)).tolist(), strict=True)
        return column(_option(whole, asked[row], options[which]) for row, which in pairs)

    return Sites(places, places, "text", written)


def _leads(whole: str, question: Options) -> Iterator[str]:
    """Return what stands between two options and the next label, if there is a next one."""
    first, last = question.contents[-2:]
    if held(whole, question) or whole[last[1]] not in "\0\n\r ":
        return
    for labels in NUMBERINGS.values():
        count = len(question.names)
        if labels[:count] == question.names and len(labels) > count:
            yield whole[first[1] : question.marks[-1][0]] + "".join(
                (question.brackets[0], labels[count], question.brackets[1])
            )
            return


def _option(whole: str, asked: tuple[Options, str], option: str) -> str:
    """Return an option with its label, in the form of the one before it."""
    question, lead = asked
    start, end = question.contents[-1]
    had = whole[start:end]
    made = option[0].upper() + option[1:] if had[:1].isupper() else option
    gap = whole[question.marks[-1][1] : start]
    return f"{lead}{gap}{made}{'.' if had.endswith('.') else ''}"


@cache
def _table(kind: str) -> Sequence[str]:
    return tuple(text for own, text in read_rows("english", "distractors.tsv") if own == kind)
