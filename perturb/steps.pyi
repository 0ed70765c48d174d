"""One function for each perturbator; written by `python scripts/steps.py`."""

from collections.abc import Callable
from typing import Any, Literal

from perturb.pipeline.step import Step
from perturb.registry.definition import Intensity, Severity

__all__ = [
    "StepName",
    "abbreviation",
    "add_context",
    "add_diacritics",
    "antonym",
    "asr",
    "bidi",
    "case",
    "char_delete",
    "char_insert",
    "char_repeat",
    "char_replace",
    "char_swap",
    "code_switch",
    "combining_marks",
    "comma",
    "comma_insert",
    "contraction",
    "copy",
    "currency_format",
    "date_format",
    "dialect",
    "dictation",
    "distractor",
    "duplicate",
    "edge_whitespace",
    "elongate",
    "emoji",
    "encode",
    "encoding_base16",
    "entity_swap",
    "example_shuffle",
    "exotic_whitespace",
    "few_shot_order",
    "filler",
    "fitted",
    "gender_swap",
    "grammar_errors",
    "homoglyph",
    "homophone",
    "html_entities",
    "human_typos",
    "hypernym",
    "identity",
    "instruction_style",
    "keyboard_typos",
    "layout_swap",
    "leetspeak",
    "line_breaks",
    "misspelling",
    "mojibake",
    "name_swap",
    "negation",
    "normalize",
    "number_format",
    "number_variant",
    "ocr",
    "option_labels",
    "option_shuffle",
    "paraphrase",
    "passages",
    "prompt_format",
    "punctuation",
    "qwerty",
    "random_OCR",
    "random_delete",
    "random_insert",
    "random_keyboard_typos",
    "random_replacement",
    "sentence_shuffle",
    "shift_slip",
    "smart_punctuation",
    "spelling_variant",
    "strip_diacritics",
    "styled_letters",
    "synonym",
    "tool_result",
    "tool_schema",
    "transliterate",
    "truncate",
    "turns",
    "typo_mix",
    "unit_format",
    "whitespace",
    "word_delete",
    "word_duplicate",
    "word_insert",
    "word_mask",
    "word_merge",
    "word_shuffle",
    "word_split",
    "word_swap",
    "yz_swap",
    "zero_width",
]

StepName = Literal[
    "abbreviation",
    "add_context",
    "add_diacritics",
    "antonym",
    "asr",
    "bidi",
    "case",
    "char_delete",
    "char_insert",
    "char_repeat",
    "char_replace",
    "char_swap",
    "code_switch",
    "combining_marks",
    "comma",
    "comma_insert",
    "contraction",
    "copy",
    "currency_format",
    "date_format",
    "dialect",
    "dictation",
    "distractor",
    "duplicate",
    "edge_whitespace",
    "elongate",
    "emoji",
    "encode",
    "encoding_base16",
    "entity_swap",
    "example_shuffle",
    "exotic_whitespace",
    "few_shot_order",
    "filler",
    "fitted",
    "gender_swap",
    "grammar_errors",
    "homoglyph",
    "homophone",
    "html_entities",
    "human_typos",
    "hypernym",
    "identity",
    "instruction_style",
    "keyboard_typos",
    "layout_swap",
    "leetspeak",
    "line_breaks",
    "misspelling",
    "mojibake",
    "name_swap",
    "negation",
    "normalize",
    "number_format",
    "number_variant",
    "ocr",
    "option_labels",
    "option_shuffle",
    "paraphrase",
    "passages",
    "prompt_format",
    "punctuation",
    "qwerty",
    "random_OCR",
    "random_delete",
    "random_insert",
    "random_keyboard_typos",
    "random_replacement",
    "sentence_shuffle",
    "shift_slip",
    "smart_punctuation",
    "spelling_variant",
    "strip_diacritics",
    "styled_letters",
    "synonym",
    "tool_result",
    "tool_schema",
    "transliterate",
    "truncate",
    "turns",
    "typo_mix",
    "unit_format",
    "whitespace",
    "word_delete",
    "word_duplicate",
    "word_insert",
    "word_mask",
    "word_merge",
    "word_shuffle",
    "word_split",
    "word_swap",
    "yz_swap",
    "zero_width",
]

def abbreviation(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    direction: Literal["shorten", "expand"] = "shorten",
    kind: Literal["any", "chat", "notes", "sms", "slang"] = "any",
    digits: bool = False,
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write as in chats and notes: asap for as soon as possible, pls for please.

    Shorten words and phrases, or write them out; `p` is a share of those that can be.

    Args:
        direction: "shorten", or "expand", which leaves doubtful abbreviations alone: numbers,
            single letters, units and common words, such as 2, u, cm and st.
        kind: "chat" has initials and short words of chats (btw, lol, pls), "notes"
            abbreviations of hurried notes and work (w/, dept, approx, eta), "sms" spellings
            that save letters (u, wk, luv); "any" has all of these, and "slang" also writes the
            commonest words by ear (da, wuz).
        digits: whether to write words with digits as well (2moro, gr8, 4 for for), but not next
            to a number.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def add_context(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["start", "end", "inside"] = "end",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    file: str | None = None,
) -> Step:
    """Insert an irrelevant sentence before, after or into a text.

    Add an irrelevant sentence, after a space if the script has them; `p` is a share of texts.

    After a text without a final stop, such as a search question, it gets a line of its own; a last
    line that ends with a colon, such as "Answer:", stays last.

    Args:
        where: which letters of a word may be edited.
        file: a text file in UTF-8 with a sentence on each line, to draw from; the step then
            holds its SHA-256 after the path. Without it, perturb draws a sentence in the script
            of the text (English, Russian, Greek, Hebrew, Arabic, Hindi, Thai, Korean, Chinese,
            Japanese); texts in other scripts, in Latin script in another language, and with
            letters that Russian or Arabic lacks, such as Ukrainian ones, have no site.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def add_diacritics(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Put an accent or another mark on a letter: é for e.

    Replace bare letters by the same with a mark, as European languages have them.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def antonym(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    profile: Literal["common", "all"] = "common",
    multiword: bool = False,
    lexicon: str = "wordnet",
    tagger: str | Callable[..., Any] | None = None,
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write a word that means the opposite, inflected alike.

    `p` is a share of the words that have one.
    Function words, numbers, names and words whose part of speech the context leaves open stay as
    they are, and so do labels, code, rows of tables, and terms of documentation,
    medicine and law. "a" and "an" before a replaced word are corrected, as edits of their own.

    Args:
        profile: "common" takes pairs that read well in most places; "all" takes every sense but
            rare and offensive ones, and its replacements often mean something else: read its
            risk as high.
        multiword: also write replacements of several words, such as "give up".
        lexicon: "wordnet" for the built-in one of English; "nltk:LANGUAGE" for any that nltk
            has on this machine, such as "nltk:fra" (without inflection, context or corrected
            articles).
        tagger: "module:function", which gives the Penn tags of a list of words; without it
            parts of speech come from WordNet's counts and rules of context.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English; with a lexicon of nltk, all texts are changed.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def asr(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    errors: float = 0.08,
    style: Literal["classic", "modern", "whisper"] = "classic",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write as a speech recogniser does: no punctuation, numbers in words, words misheard.

    Write the transcript of a speech recogniser; `p` is a share of the texts.

    Punctuation is dropped, and symbols are spoken: 10% becomes ten percent, 5 km/h five kilometers
    per hour, and 16 - 3 in a question sixteen minus three. A share `errors` of the words is wrong:
    the word error rate, which differs from text to text as it was counted. Some of them are lost,
    some become two, which counts twice, and most become a word that sounds similar; errors come in
    runs. Function words are wrong less often than others, and replace one another: the, a.
    Protected parts stay, and the rest changes.

    Args:
        errors: the mean word error rate. Allowed: from 0 to 1.
        style: "classic" has only small letters, and numbers in words; "modern" keeps case, and
            the digits and punctuation of numbers; "whisper" writes sentences with a capital and
            a full stop or question mark where the text has none, most of its commas, and small
            numbers now in words and now in digits, as Whisper tiny.en and base do.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def bidi(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Write a word backwards between controls that show it forwards.

    Reverse words within an override of direction, so that they are displayed as before.

    Words with digits, and words of scripts that run from right to left or join their letters, stay.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def case(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    style: Literal["random", "lower", "upper", "title"] = "random",
) -> Step:
    """Flip the case of letters, or write words in lower, upper or title case.

    Change case; single letters only if both cases are one code point.

    Words follow the rules of their language: STRASSE for Straße, ΕΝΑΣ for ένας, and İ for i and I
    for ı in words and texts with a letter that only Turkish has; in English texts only in such
    words.

    Args:
        style: "random" flips single letters, and `p` is a share of characters; "lower", "upper"
            and "title" rewrite words, and `p` is a share of words. Words already in that style
            stay.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def char_delete(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    fill: str = "",
    digits: bool = False,
) -> Step:
    """Delete a visible character, or replace it by `fill`.

    Args:
        fill: the replacement of each; characters that are `fill` already stay.
        digits: whether to delete digits and the punctuation inside numbers as well.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def char_insert(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    alphabet: str | None = None,
    digits: bool = False,
) -> Step:
    """Insert a random letter before a letter.

    Args:
        alphabet: the characters to draw from, for places before any visible character; without
            it the letter has the script and case of the one that follows.
        digits: whether to insert characters into and next to numbers as well; without an
            alphabet, a digit before a digit.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def char_repeat(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["double", "collapse"] = "double",
) -> Step:
    """Double a letter, as a bouncing key does; or write double letters once.

    Args:
        mode: "double" repeats letters of any script; "collapse" drops each letter that equals
            the one before it, and `p` is a share of these.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def char_replace(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    alphabet: str | None = None,
    digits: bool = False,
) -> Step:
    """Replace a letter by another of its alphabet, in its case.

    Args:
        alphabet: the characters to draw from, for any visible character; without it a letter
            becomes one of its own script, and other characters stay.
        digits: whether to change numbers as well; without an alphabet, a digit becomes a digit.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def char_swap(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    digits: bool = False,
) -> Step:
    """Swap two different neighbouring letters.

    Swap neighbouring characters within a word; `p` is the share of characters that move.

    Two adjacent swaps are three changes by Levenshtein's distance, not four: if many characters
    move, the error rate is lower than `p`.

    Args:
        digits: whether to swap digits as well, with each other and with letters.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def code_switch(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    to: Literal["es", "ca", "gl", "it", "zh"] = "es",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write a noun in another language, as bilingual speakers do: the agua is cold.

    Write nouns in another language; `p` is a share of the nouns that the table has.

    Only a singular noun is replaced, in its main sense, and the words around it stay English, as
    when speakers switch for one word: no plurals, no agreement, and no word that would make "a" or
    "an" wrong before it. Other senses of a noun are not recognised.

    Args:
        to: the language: "es" (Spanish), "ca" (Catalan), "gl" (Galician), "it" (Italian) or
            "zh" (Chinese).
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def combining_marks(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    marks: int = 1,
    digits: bool = False,
) -> Step:
    """Heap combining marks on a letter, as in Zalgo text.

    They are random ones, above, below and through the letter.

    Args:
        marks: the number of marks on each letter. Allowed: from 1 to 32.
        digits: whether digits get marks as well.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def comma(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Put a comma after a word.

    Only spaces separate the word from the next, and they are not both numbers, as in 12 000.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def comma_insert(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Put a comma after a word.

    Only spaces separate the word from the next, and they are not both numbers, as in 12 000.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def contraction(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    direction: Literal["contract", "expand", "both"] = "both",
    informal: bool = False,
    language: Literal["auto", "en", "de", "fr", "it", "nl", "pt"] = "auto",
) -> Step:
    """Write don't for do not, and do not for don't.

    Contract and expand; `p` is a share of the places where that is possible.

    Awkward contractions are avoided: one with nothing after it (yes, I am), "has" and the like
    without a participle (he has two), n't before its subject (don't you), and "let us" without a
    verb (let us in). In other languages only optional contractions count: German in dem and im,
    Italian come è and com'è, Portuguese em um and num. Spanish has none.

    Args:
        direction: "contract", "expand" or "both". A contraction with two full forms is expanded
            if the next word decides between them: it's late, it's been late, he'd go, he'd
            gone; not "it's rained", nor a possible possessive (Ann's here).
        informal: whether to use informal ones as well: gonna, wanna, 'cause. Nearly all of
            French (tu as and t'as) and Dutch (het and 't) are informal.
        language: "auto" leaves texts alone that are evidently not English; any other treats all
            texts as that language.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def copy(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Change nothing: the control of an experiment.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def currency_format(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    to: Literal["random", "words", "symbol", "code"] = "random",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write an amount of money in another form: 5 dollars for $5.

    Write amounts of money in another form, the same amount; `p` is a share of the amounts.

    Dollars are read as those of the United States. Names are not written before a noun (a $5 bill);
    ranges, formulas, amounts below zero, cents, and pounds, which may be a weight, stay.

    Args:
        to: "words" (5 dollars), "symbol" ($5), "code" (USD 5), or "random" for one of these.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def date_format(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    to: Literal[
        "random", "iso", "us", "gb", "short", "ordinal", "us_numeric", "gb_numeric"
    ] = "random",
    order: Literal["auto", "mdy", "dmy"] = "auto",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write a date in another form: 2024-03-05 for March 5, 2024.

    Write dates in another form, the same day; `p` is a share of the dates.

    A date has a day and a month, and a year of four digits if the form needs one; not ranges (May
    3-5) or months of a year (May 2020). A weekday before it stays.

    Args:
        to: "iso" (2024-03-05), "us" (March 5, 2024), "gb" (5 March 2024), "short" (Mar 5,
            2024), "ordinal" (March 5th, 2024), "us_numeric" (03/05/2024), "gb_numeric"
            (05/03/2024); or "random" for one of the first five, which are unambiguous.
        order: how to read 3/5/2024: "mdy" or "dmy"; "auto" leaves it alone, unless only one of
            the numbers can be a month.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def dialect(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    variety: Literal[
        "african_american",
        "appalachian",
        "indian",
        "irish",
        "newfoundland",
        "nigerian",
        "scottish",
        "singapore",
    ] = "african_american",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write grammatical features of a variety of English, such as Irish or Indian.

    Write grammatical features of a variety of English; `p` is a share of their places.

    The features are those that eWAVE calls pervasive, or neither pervasive nor rare, in the
    variety, and that rules can write: 24 of its 235, from negative concord (doesn't have no) to the
    progressive of verbs such as know (she is knowing). No speaker uses all of them everywhere, and
    much of each variety is missing: its sounds, words, aspect markers, and use. Such text tests
    whether a system depends on standard grammar; it is not a sample of anyone's speech.

    Args:
        variety: "african_american" (urban), "appalachian", "indian", "irish", "newfoundland",
            "nigerian", "scottish" or "singapore".
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def dictation(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Spell punctuation out, as in dictation: comma, question mark, new line.

    Write the names of punctuation and line ends; `p` is a share of these.

    Texts that are not mostly in Latin letters stay, and so does punctuation inside words, numbers
    and abbreviations, and ellipses of full stops.

    Args:
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def distractor(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["numbers", "tautology", "option"] = "numbers",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Add a distraction: an irrelevant number, an option, or a tautology.

    Add one distraction to a text; `p` is a share of the texts.

    Args:
        kind: "numbers" puts a sentence with a number before the last question, or after a text
            without a question, on a line of its own if the text has no final stop. It is about
            a person and things in the text, if there are any. "tautology" puts "and true is
            true" and the like at the end of the last sentence; "option" adds an option to a
            multiple-choice question that nobody would choose, with the next label.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def duplicate(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    unit: Literal["sentence", "line", "text"] = "sentence",
) -> Step:
    """Paste a sentence, a line or the text twice.

    Blank ones are left alone.

    Args:
        unit: the passage, and the unit of `p`. A sentence is repeated after a space, or without
            one in Chinese and Japanese; a line or text on a line of its own.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def edge_whitespace(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["start", "end"] = "end",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["add", "remove"] = "add",
    unit: Literal["line", "text"] = "line",
) -> Step:
    """Add white space at the ends of lines or texts, or remove it.

    Add or remove white space at one end of lines or texts; blank ones get none.

    Args:
        mode: "add" writes one, two or four spaces or a tab, for a text also a line end, and `p`
            is a share of the lines or texts; "remove" deletes all white space there, and `p` is
            a share of the lines or texts that have some.
        unit: "line" or "text".
        where: which letters of a word may be edited.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def elongate(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["vowel", "last"] = "vowel",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    longest: int = 4,
) -> Step:
    """Stretch a word as in speech: sooo, pleaseee.

    Words of one letter and words with digits stay.

    Args:
        where: which letters of a word may be edited.
        longest: the most copies of the letter to add; each number from 1 on is equally likely.
            Allowed: from 1 to 1000.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def emoji(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["insert", "replace", "to_text"] = "insert",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Put an emoji after a word, or in its place; or write the name of an emoji.

    Exchange English words and emoji; `p` is a share of the places for it.

    Args:
        mode: "insert" puts an emoji after a word that it shows, "replace" in its place;
            "to_text" writes the English name of an emoji, except of one with a skin tone or
            made of several.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def encode(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    codec: Literal[
        "base64",
        "base32",
        "ascii85",
        "uuencode",
        "hex",
        "hex_spaces",
        "binary",
        "rot13",
        "caesar",
        "atbash",
        "url",
        "html",
        "morse",
        "nato",
        "braille",
        "pig_latin",
        "reverse",
        "tags",
    ] = "base64",
    unit: Literal["text", "word"] = "text",
    template: str = "{text}",
) -> Step:
    """Write the whole text, or words of it, in a code: base64, hex, rot13, Morse.

    Encode texts as a whole or word by word; bytes are those of UTF-8.

    Characters that a code doesn't change, such as letters in a URL, don't count. A text with a
    protected part is not encoded as a whole.

    Args:
        codec: "base64", "base32", "ascii85", "uuencode" (without the lines around it); "hex",
            and "hex_spaces" with a space between the bytes; "binary" (eight bits a byte, with
            spaces); "rot13", "caesar" (three letters on) and "atbash" (z for a), of ASCII
            letters; "url" (all but letters, digits and -._~ as %XX); "html" (every character as
            a decimal reference); "morse" and "nato" (letters, digits, and punctuation of the
            table of Morse; other characters stay); "braille" (uncontracted; letters and digits
            of ASCII); "pig_latin" (words of ASCII letters); "reverse" (the characters from the
            last to the first); "tags" (ASCII as the characters of Unicode's block Tags, which
            don't show).
        unit: "text", and `p` is a share of the texts; or "word", and `p` is a share of the
            words.
        template: the text to write, with `{text}` in place of the encoded text.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def encoding_base16(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    unit: Literal["text", "word"] = "text",
) -> Step:
    """Write the whole text, or words of it, in a code: base64, hex, rot13, Morse.

    Encode texts as a whole or word by word; bytes are those of UTF-8.

    Characters that a code doesn't change, such as letters in a URL, don't count. A text with a
    protected part is not encoded as a whole.

    Args:
        unit: "text", and `p` is a share of the texts; or "word", and `p` is a share of the
            words.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def entity_swap(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["any", "city", "country", "weekday", "month"] = "any",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Replace cities, countries, weekdays and months, consistently throughout a text.

    Replace places and times of a text, each by one of its kind; `p` is a share of such texts.

    A fact that depends on them becomes wrong, or has another answer: a capital, a distance, the day
    after Monday. A question that only counts or reasons stays the same. A new name is never one
    that the text has. Names next to another word with a capital (Paris Hilton, Bank of China) or
    after an article (a London bus) and months next to a day (March 3) stay throughout their text,
    and so do words for peoples and languages, such as French. In a text without capitals, only what
    the words around make certain is replaced: in france, on monday, did england win.

    Args:
        kind: "city", "country", "weekday", "month", or "any" of these.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def example_shuffle(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    blocks: Literal["field", "paragraph"] = "field",
    skip: int = 0,
) -> Step:
    """Put the examples of a few-shot prompt in another order; the last block stays.

    Move whole examples; every text with examples is one place.

    The last block is the query and stays, and so does the text before the first. The note of the
    step has the number of the example that is now at each place, from 0.

    Args:
        blocks: "field" for blocks that begin with the same field name (Q: or Question:, see
            `prompt_format`), the first name that begins at least three lines; "paragraph" for
            blocks with blank lines between them.
        skip: the number of blocks at the start that stay as well, such as an instruction.
            Allowed: at least 0.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def exotic_whitespace(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal[
        "any",
        "tab",
        "no_break",
        "en",
        "em",
        "figure",
        "thin",
        "hair",
        "narrow_no_break",
        "ideographic",
    ] = "any",
) -> Step:
    """Replace a space by another one: no-break, thin or ideographic, or a tab.

    Replace spaces, of any kind, by others; `p` is a share of the spaces. Line breaks stay.

    Args:
        kind: the space to write, or "any".
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def few_shot_order(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    blocks: Literal["field", "paragraph"] = "field",
    skip: int = 0,
) -> Step:
    """Put the examples of a few-shot prompt in another order; the last block stays.

    Move whole examples; every text with examples is one place.

    The last block is the query and stays, and so does the text before the first. The note of the
    step has the number of the example that is now at each place, from 0.

    Args:
        blocks: "field" for blocks that begin with the same field name (Q: or Question:, see
            `prompt_format`), the first name that begins at least three lines; "paragraph" for
            blocks with blank lines between them.
        skip: the number of blocks at the start that stay as well, such as an instruction.
            Allowed: at least 0.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def filler(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["clause", "word"] = "clause",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["any", "hesitation", "marker", "hedge", "repair"] = "hesitation",
    language: Literal["auto", "en", "de", "es", "fr", "it", "nl", "pt"] = "auto",
) -> Step:
    """Put a filler at the edge of a clause, as in speech: um, you know, I think.

    Insert fillers, with the commas that they need; never next to a digit, and behind labels rather
    than before them: "Question: um, what" and "A. Uh, Mars".

    Args:
        kind: "hesitation" (um), "marker" (you know), "hedge" (I think), "repair" (or rather),
            or "any" of these.
        where: which letters of a word may be edited.
        language: "auto" leaves texts alone that are evidently not English; any other treats all
            texts as that language.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def fitted(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    file: str | None = None,
) -> Step:
    """Make the errors counted in a file of noise, as perturb fit writes it.

    Make errors at their counted rates, each where it fits; `p` is a share of characters.

    An error is likelier near others, as in the pairs. Rates differ from text to text as those of
    the pairs did, and some texts stay; `spread=0` gives all the same rate.

    Args:
        file: a file that `perturb fit` wrote; the step then holds its SHA-256 after the path.
            Without it, errors that people make when they type questions.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def gender_swap(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    direction: Literal["both", "to_female", "to_male"] = "both",
    kind: Literal["any", "pronouns", "words", "names"] = "any",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write she for he, sister for brother, and Anna for Tom, throughout a text.

    Exchange the genders of all people in a text; `p` is a share of the texts with any.

    The next word decides whether "her" becomes "his" or "him", with an error now and then. A text
    with a longer name (Marie Curie) stays, since pronouns may refer to a famous person, and so does
    one that names people by surnames alone (Hutton published his ideas; in 1943 Tesla died), unless
    these are words as well (Baker) or not in the table; surnames themselves never change. So does a
    text without capitals, unless it is about the writer's or the reader's people and names nobody
    (my brother and his wife). Names of both genders (see `name_swap`) and other words with a
    capital (King Lear) stay, and so do things that only a man or a woman can be or have: a beard. A
    text about what only one of them has, such as a pregnancy or a prostate, stays as a whole.

    The risk: a statement about a famous person who is on no list (what did Saladin write in his
    letter) becomes false. Give question, passage and answer as fields of one row, which change
    together, or leave knowledge questions out.

    Args:
        direction: "both" exchanges, "to_female" writes she for he alone, "to_male" he for she.
        kind: "pronouns", "words" (nouns and titles) or "names" alone, even if the rest of the
            text then contradicts them; or "any" of these.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def grammar_errors(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["any", "article", "noun", "preposition", "agreement", "verb"] = "any",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Make errors of grammar as learners do: articles, plurals, prepositions, verbs.

    Make errors of grammar; `p` is a share of the places for them, about 1 word in 7.

    The places of each kind are thinned so that the errors have the shares of published counts: 42%
    articles, 24% nouns without their plural, 15% prepositions, 10% agreement of subject and verb,
    9% forms of verbs. This holds in running text; other texts have more places for some kinds. By
    our own estimate 57% of the wrong articles are missing, 16% another one, 27% superfluous; 24, 58
    and 18% of the prepositions. Learners' errors depend on their first language; perturb doesn't
    distinguish them.

    Args:
        kind: "article", "noun", "preposition", "agreement" or "verb" for every place of that
            kind, or "any" for all in their shares.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def homoglyph(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["mixed_script", "single_script"] = "mixed_script",
    digits: bool = False,
) -> Step:
    """Replace a letter by one that looks the same: a Cyrillic а for a Latin a.

    In scripts other than Latin, Greek, Cyrillic and Armenian few letters look like another one, so
    whatever `p` is, few of them change.

    Args:
        mode: "mixed_script" writes a character of another script, among Latin, Greek, Cyrillic
            and Armenian for a letter of these; "single_script" writes another one of the same
            script (I for l).
        digits: whether to replace digits by confusable digits as well.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def homophone(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    profile: Literal["common", "all"] = "common",
    language: Literal["auto", "en", "de", "es", "fr", "it", "nl", "pt", "ja", "zh"] = "auto",
) -> Step:
    """Write a word that sounds the same: their for there.

    Replace words by others of the same sound; `p` is a share of the words that have any.

    In Chinese ("zh") a common character is replaced by another with the same syllable of pinyin,
    whatever its tone; texts with kana are Japanese, and stay. In Japanese ("ja") kana are replaced
    by others of the same sound, small ones by large, long vowels by other spellings or short ones,
    and keys are dropped that a conversion from Latin letters needs; and a noun of two kanji becomes
    another with the same reading. Texts without kana stay.

    Args:
        profile: "common" takes words that writers are known to confuse (their and there, its
            and it's, principal and principle), in proportion to counts; "all" takes all common
            words of the same sound. Other languages have one table, of words that writers
            confuse (das and dass), without counts: all are equally likely.
        language: "auto" leaves texts alone that are evidently not English; any other treats all
            texts as that language.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def html_entities(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    direction: Literal["escape", "unescape"] = "escape",
) -> Step:
    """Write HTML entities for characters, or characters for HTML entities.

    Leak HTML entities into text; `p` is a share of the characters to escape, or of the entities.

    Args:
        direction: "escape" writes the entities of quotes, dashes, & < > and other symbols, but
            not of letters; "unescape" writes the characters.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def human_typos(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["any", "copied", "own"] = "any",
    layout: str = "auto",
) -> Step:
    """Mistype as people do: a letter, punctuation or a space lost, a neighbouring key hit.

    Make typing errors as people do, as often; `p` is the character error rate.

    Letters are dropped, replaced by neighbouring keys, doubled, inserted and swapped, double
    letters are written once, capitals lowered, vowels confused, apostrophes, question marks and
    spaces dropped, and words split, each at its rate in counts of the start, the middle and the end
    of words; and function words are confused, its for it's. Numbers and their neighbours stay. The
    error rate is `p` if most of a text is letters, and falls short of it above 0.4. Rates differ
    from text to text as they were counted, and many texts stay; `spread=0` gives all the same rate.

    Args:
        kind: "copied" for the slips of people who type questions that they read, "own" for
            those that people leave in their own words on the web: apostrophes lost, words
            split, their for there; "any" for both, in equal parts.
        layout: the keyboard: us, gb, de, fr, ru, ... (`wordlists/keyboards`); or "auto" for one
            by the script of each letter or the language of the text, as in `keyboard_typos`.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def hypernym(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    profile: Literal["common", "all"] = "common",
    multiword: bool = False,
    lexicon: str = "wordnet",
    tagger: str | Callable[..., Any] | None = None,
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write a more general word, inflected alike: animal for dog.

    `p` is a share of the words that have one.
    Function words, numbers, names and words whose part of speech the context leaves open stay as
    they are, and so do labels, code, rows of tables, and terms of documentation,
    medicine and law. "a" and "an" before a replaced word are corrected, as edits of their own.

    Args:
        profile: "common" takes pairs that read well in most places; "all" takes every sense but
            rare and offensive ones, and its replacements often mean something else: read its
            risk as high.
        multiword: also write replacements of several words, such as "give up".
        lexicon: "wordnet" for the built-in one of English; "nltk:LANGUAGE" for any that nltk
            has on this machine, such as "nltk:fra" (without inflection, context or corrected
            articles).
        tagger: "module:function", which gives the Penn tags of a list of words; without it
            parts of speech come from WordNet's counts and rules of context.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English; with a lexicon of nltk, all texts are changed.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def identity(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Change nothing: the control of an experiment.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def instruction_style(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    style: Literal[
        "random",
        "polite",
        "persona",
        "casual",
        "formal",
        "urgent",
        "encouraging",
        "rude",
        "question",
        "command",
    ] = "random",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Ask in another tone: politely, formally, in a hurry, as a question or a command.

    Change the tone of a text, not its request; `p` is a share of the texts.

    Args:
        style: the tone of a sentence before or after the text: "polite", "persona" (you are an
            expert), "casual", "formal", "urgent", "encouraging" or "rude", or "random" for any
            but the last; "question" turns the first command into a question (could you write),
            "command" the first request that is a question into a command.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def keyboard_typos(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    layout: str = "auto",
    digits: bool = False,
) -> Step:
    """Hit a neighbouring key.

    Shifted keys have shifted neighbours, so case is kept. Characters that the layout can't type
    stay. So does punctuation in a text whose letters it can't type, and so do the | and ruled lines
    of a table.

    Args:
        layout: the keyboard: us, gb, de, fr, es, it, ru, dvorak, ... (`wordlists/keyboards`);
            or "auto" for one by the script of each letter: us for Latin, ru for Cyrillic, and
            those of Greek, Hebrew, Arabic, Armenian, Georgian, Hindi, Bengali and Thai; for a
            text with a letter such as ä and the words of its language, that of the language: de
            for German; and for a Korean text kr, on which a slip changes one part of a
            syllable.
        digits: whether to change numbers as well, and to write digits.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def layout_swap(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    layout: str = "auto",
    active: str = "auto",
    digits: bool = False,
) -> Step:
    """Type with the wrong keyboard layout active: ghbdtn for привет, lqwy for lazy.

    Write the characters that the same keys type on another layout.

    `p` is a share of the runs between white space that come out differently. A run changes as a
    whole, with its punctuation; a run with a character that either layout can't type with one key
    stays.

    Args:
        layout: the keyboard that the writer has in mind: us, gb, de, fr, ru, ...
            (`wordlists/keys`); or "auto" for one by the script of each run, as in
            `keyboard_typos`.
        active: the keyboard that is active; "auto" for us, or fr if the writer has us in mind.
        digits: whether to change runs with digits, and runs that come out with digits, as well.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def leetspeak(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    level: Literal[1, 2, 3] = 1,
) -> Step:
    """Replace letters by similar digits and symbols: l33t.

    Replace letters of the basic Latin alphabet; `p` is a share of those in the table.

    Args:
        level: 1 for digits that everyone can read, 2 for symbols and rarer digits as well, 3
            for letters drawn with several symbols as well.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def line_breaks(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["wrap", "join", "crlf", "hyphenate"] = "wrap",
    width: int = 72,
    dictionary: str = "",
) -> Step:
    """Wrap lines, join wrapped lines, end lines with CRLF, or hyphenate as in print.

    Move line ends; `p` is a share of the places where the mode would act on the whole text.

    Args:
        mode: "wrap" replaces spaces by line ends so that no line is longer than `width`, words
            permitting; "join" replaces a line end within a paragraph by a space, or by nothing
            in Chinese and Japanese; "crlf" puts a carriage return before a line feed;
            "hyphenate" wraps too, and cuts Latin, Cyrillic and Greek words at the line end
            between syllables, with a hyphen, as in text copied from print; code, URLs, and
            words with quotes or other signs around or in them stay whole.
        width: the length of a line in characters; for "wrap" and "hyphenate". Allowed: at least
            2.
        dictionary: for "hyphenate", a hyphenation dictionary of pyphen, such as "en_US" or
            "de_DE"; the extra `hyphenation` installs it. Without a dictionary, a rule of vowels
            and consonants decides, which suits Spanish, German, Italian and Russian better than
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def misspelling(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    rules: bool = True,
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Misspell a word as people do: recieve, definately, alot.

    Replace words by common misspellings; `p` is a share of the words that have any.

    Args:
        rules: whether rules misspell words outside the table: ie and ei exchanged, a double
            consonant written once, -able and -ible, -ance and -ence exchanged. Words of fewer
            than five letters stay, and no rule makes another word of the lexicon.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def mojibake(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    written: Literal[
        "utf-8",
        "latin-1",
        "cp1250",
        "cp1251",
        "cp1252",
        "cp1253",
        "cp1254",
        "cp437",
        "cp866",
        "koi8-r",
        "mac-roman",
    ] = "utf-8",
    read: Literal[
        "utf-8",
        "latin-1",
        "cp1250",
        "cp1251",
        "cp1252",
        "cp1253",
        "cp1254",
        "cp437",
        "cp866",
        "koi8-r",
        "mac-roman",
    ] = "cp1252",
) -> Step:
    """Read text in another encoding than it was written in: cafÃ© for café.

    Decode with the wrong encoding; `p` is a share of the characters that come out differently.

    Each character is read on its own. Bytes from 80 to 9F that `read` leaves undefined become
    control characters, as in browsers; any other invalid bytes become U+FFFD.

    Args:
        written: the encoding of the bytes; characters outside it stay.
        read: the encoding in which they are read.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def name_swap(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    origin: Literal["any", "european", "african_american", "hispanic", "asian"] = "any",
    replaced: Literal["any", "european", "african_american", "hispanic", "asian"] = "any",
    kind: Literal["any", "first", "last"] = "any",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Rename people, consistently throughout a text, and keep genders.

    Replace all names of people in a text, each by one other; `p` is a share of such texts.

    A first name becomes one of its gender, so pronouns still agree. A surname is known by the first
    name or title before it (Ann Young, Mr. Brown), and replaced throughout its text. A new name is
    never one that the text has already. Some names stay: first names of both genders (Chris), words
    at the start of a sentence (Rose), famous people in WordNet (Abraham Lincoln) and those whom a
    law or a firm is named after (Dalton's theory, the Miller-Urey experiment), and names next to
    another word with a capital, which may be a famous person, a place or a work (Albert Einstein,
    St. John). A name that is a word or a surname as well needs evidence of a person: a pronoun, a
    verb, a title, somebody else's name. In a text without capitals a first name counts right before
    a surname, if neither is a word and nothing makes them a title. A nickname is a name of its own:
    Tom and Thomas become two people.

    The risk: a question about a famous person who is on no list (how old was Josh Norman) then has
    no answer. Give question, passage and answer as fields of one row, which change together, or
    leave knowledge questions out.

    Args:
        origin: the origin of the new names, as most frequent in the United States: "european",
            "african_american", "hispanic", "asian", or "any".
        replaced: the origin of the names to replace; "any" for all.
        kind: "first" or "last" for first names or surnames alone, or "any".
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def negation(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["both", "add", "remove"] = "both",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Say the opposite: put not into a clause, or remove it.

    Negate clauses, or remove their negation; `p` is a share of the places where that works.

    "Not" is added after is, has, can and the like, and with does, do or did for other verbs (she
    eats, she does not eat); an imperative gets "do not". In a clause that asks, this happens only
    if the subject comes before the verb (which of these is a fish). Verbs in a doubtful form stay,
    and so do other kinds of negation, such as neither, few or unhappy.

    Args:
        mode: "add" negates, "remove" removes negations, "both" does either.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def normalize(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    form: Literal["NFC", "NFD", "NFKC", "NFKD"] = "NFD",
) -> Step:
    """Write characters in a Unicode normalization form: e and an accent for é.

    Normalize the characters that a form changes; `p` is a share of these.

    A site is as short as possible: all sites together normalize the whole text, but for numbers
    that would run into another: 10² and 3½ stay, which Unicode turns into 102 and 31⁄2.

    Args:
        form: "NFC" composes letters with their marks, "NFD" decomposes them; "NFKC" and "NFKD"
            also replace variants of characters, such as ﬁ, ² and Ａ.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def number_format(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    to: Literal["words", "digits", "separators", "speech"] = "words",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write a number in words, in digits, as it is said, or with or without commas.

    Write whole numbers below a trillion in another form; `p` is a share of them.

    Except for "speech", only quantities change: not parts of decimals, fractions, dates, times,
    ranges, phone numbers, formulas, code or percentages, nor labels (page 7, Apollo 11, 10 Downing
    Street), list markers and possible years; in documentation and law, only numbers that count
    something. In doubt a number stays.

    Args:
        to: "words" spells numbers in digits (21 becomes twenty-one), but not amounts of money;
            "digits" writes numbers in words as digits; "separators" adds the commas of
            thousands to a number without them, and removes them from others; "speech" writes
            the spoken form of any number in digits, with its currency or percent sign and its
            unit: 99.2 is ninety-nine point two, 5:10 five ten, 5 kg five kilograms; JSON stays,
            and so does what an equals sign leads to.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def number_variant(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Put other numbers into a word problem, and compute its solution again.

    Change the numbers of a question and its solution; `p` is a share of the groups of numbers.

    The numbers of a group are those that one computation ties together: mostly all of a problem.
    A solution has its computations in chains, `<<16-3=13>>` or 16-3=13, or is an expression on a
    line of its own, such as (16-3)*2, with its value on another. It follows the question in the
    text, or it is a `target`, which may be a number.

    A new number has as many digits as the old one and the same decimals, at least half and at most
    double its size, and keeps its place in the order of the others. A result stays whole, positive
    or of as few decimals where it was, and within a factor of four. Hours of a day, days
    of a week, ages and percentages stay possible. Numbers stay that may be facts (7 days, 12 in a
    dozen), parts of dates, times, fractions and names, or two things at once, with all that they
    are computed from. A problem is refused, and the note of the step says why, if a number of its
    solution comes from nowhere or a chain doesn't compute.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def ocr(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    engine: Literal["tesseract", "ppocr", "ppocr_v4"] = "tesseract",
    digits: bool = False,
) -> Step:
    """Misread a text as a scanner does: c for e, rn for m, punctuation lost or made up.

    Misread characters at the rates counted for a recognition engine, each in its context.

    Characters are substituted, split, merged or dropped; punctuation and spaces appear and
    disappear. Rates differ from scan to scan as they were counted, and many texts stay;
    `spread=0` gives all the same rate.

    Args:
        engine: the engine whose errors are made: Tesseract 5.3, or of PaddleOCR's models PP-
            OCRv6 (small), as `rapidocr` 3.10 has it, or PP-OCRv4 (of Chinese and English), as
            `rapidocr-onnxruntime` 1.4 has it; most errors of that are lost spaces.
        digits: whether to misread digits as well, and letters as digits: 0 for O. Without it,
            numbers and their neighbours stay.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def option_labels(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    numbering: Literal[
        "random", "keep", "upper", "lower", "digit", "roman", "roman_upper"
    ] = "random",
    brackets: Literal["random", "keep", "dot", "bracket", "brackets", "square"] = "random",
) -> Step:
    """Relabel the options of a multiple-choice question: (1) for A.

    Rewrite the labels, and leave the options in place; `p` is a share of the questions.

    All questions of a text get labels of one kind. An answer that the text itself gives by label is
    rewritten too, and so is a list of all labels (Select A, B, or C; A-C); for an answer in another
    field see `target` of `augment`. A question is refused, and the note of the step says why, if an
    option names others (both A and B).

    Args:
        numbering: "upper" (A), "lower" (a), "digit" (1), "roman" (i), "roman_upper" (I); "keep"
            for the present one, "random" for any that gives new labels.
        brackets: "dot" (A.), "bracket" (A)), "brackets" ((A)), "square" ([A]), "keep" or
            "random".
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def option_shuffle(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["shuffle", "rotate"] = "shuffle",
    form: Literal["labelled", "lines"] = "labelled",
    keep_last: int = 0,
) -> Step:
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
        mode: "shuffle" draws a new order; "rotate" moves every option on by one place in
            replicate 0, by two in replicate 1 and so on, cyclically: each of n options is once
            at each place in n replicates, or in n - 1 and the original.
        form: "labelled" for options with labels, on lines of their own or not; "lines" for
            texts that consist of options, one a line. A field that is a list of strings needs
            neither: its items are the options.
        keep_last: how many options at the end stay there. Allowed: from 0 to 25.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def paraphrase(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    file: str | None = None,
) -> Step:
    """Put a text into other words, from a table that perturb paraphrase made and checked.

    Replace each text by its accepted rewording; `p` is a share of texts.

    No model is asked, so the same table gives the same texts anywhere. A text whose rewordings all
    failed a check, or which a person refused, stays, and says `no rewording`. A text that the table
    doesn't have at all is an error: put this step first, and make the table of these texts.

    Args:
        file: a table that `perturb paraphrase` wrote; the step then holds its SHA-256 after the
            path. Without it, there is a rewording of the step's example alone.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def passages(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal[
        "shuffle",
        "repeat",
        "distract",
        "drop",
        "drop_gold",
        "drop_other",
        "contradict",
        "contradict_gold",
        "contradict_other",
        "stale",
        "stale_gold",
        "stale_other",
    ] = "shuffle",
    pool: str | None = None,
) -> Step:
    """Reorder, repeat, drop, add or contradict passages that a question is asked about.

    Change a list of passages, each as a whole; `p` is a share of the lists.

    A list is a field of `choices`, of strings, objects or lists, or an object of columns; or a text
    that is a list in JSON. Right answers follow (see `target` of `augment`): numbers, texts and ids
    of gold passages, words that are in all of them, and lists beside it with an entry for each, as
    of ids, titles or flags. What nobody names there is refused, and no passage is of another row.

    Args:
        kind: "shuffle" puts them in another order; "repeat" puts one in again anywhere;
            "distract" puts in one of `pool`; "drop" leaves one out; "contradict" writes another
            place, weekday or month in place of one in it, or else another number or name, all
            through the passage, with names as in English; "stale" sets its years back by one to
            three. With "_gold" these act on all passages that a right answer names, with
            "_other" on one of the others.
        pool: a text file in UTF-8 to draw from, with a passage on each line; or, if its name
            ends in .jsonl, a string, object or list, which fits where those of the list have
            the same keys. The step then holds its SHA-256 after the path.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def prompt_format(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    separator: str = "random",
    casing: Literal["random", "keep", "lower", "upper", "title"] = "random",
    marker: str = "random",
    names: str = "",
) -> Step:
    """Write field names such as Question: and bullets in another form.

    Rewrite field names with their separators, and bullets, in one form a text.

    `p` is a share of these places. A field name begins a line, and a colon follows it; it may have
    a number (Example 2:). A bullet begins a line, and a space follows it.

    Args:
        separator: the text between a field's name and its content: any string, "keep" or
            "random". At the end of a line it loses its spaces.
        casing: the casing of field names: "lower", "upper", "title", "keep" or "random".
        marker: the bullet: any string, "keep" or "random".
        names: further field names, between commas. Known are Question, Answer, Q, A, Input,
            Output, Context, Passage, Premise, Hypothesis, Options, Instruction and some fifty
            more.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def punctuation(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["strip", "strip_all", "strip_end", "add", "add_end", "double"] = "strip",
) -> Step:
    """Drop, add or double punctuation.

    Change punctuation at the edge of words.

    Punctuation inside numbers, dates, times, abbreviations, addresses and words stays, and so do
    apostrophes at the edge of words (the dogs' bowl, 'tis) and signs of formulas (16 - 3, 5! / 3!).

    Args:
        mode: "strip" drops stops, commas, colons, semicolons, quotes and dashes, and `p` is a
            share of these; "strip_all" also drops brackets and symbols such as & and *, but $5
            and 10% stay; "strip_end" drops the end of a sentence, and `p` is a share of the
            sentences; "add" puts . , ; : ! or ? after words, and `p` is a share of the words;
            "add_end" puts one after a text that ends with a word, and `p` is a share of the
            texts; "double" repeats stops, commas, colons and semicolons, and `p` is a share of
            these.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def qwerty(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Swap y and z, as when a German keyboard is taken for an English one.

    Exchange y and z, in both cases.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def random_OCR(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    engine: Literal["tesseract", "ppocr", "ppocr_v4"] = "tesseract",
) -> Step:
    """Misread a text as a scanner does: c for e, rn for m, punctuation lost or made up.

    Misread characters at the rates counted for a recognition engine, each in its context.

    Characters are substituted, split, merged or dropped; punctuation and spaces appear and
    disappear. Rates differ from scan to scan as they were counted, and many texts stay;
    `spread=0` gives all the same rate.

    Args:
        engine: the engine whose errors are made: Tesseract 5.3, or of PaddleOCR's models PP-
            OCRv6 (small), as `rapidocr` 3.10 has it, or PP-OCRv4 (of Chinese and English), as
            `rapidocr-onnxruntime` 1.4 has it; most errors of that are lost spaces.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def random_delete(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Delete a visible character, or replace it by `fill`.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def random_insert(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Insert a random letter before a letter.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def random_keyboard_typos(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    layout: str = "auto",
) -> Step:
    """Hit a neighbouring key.

    Shifted keys have shifted neighbours, so case is kept. Characters that the layout can't type
    stay. So does punctuation in a text whose letters it can't type, and so do the | and ruled lines
    of a table.

    Args:
        layout: the keyboard: us, gb, de, fr, es, it, ru, dvorak, ... (`wordlists/keyboards`);
            or "auto" for one by the script of each letter: us for Latin, ru for Cyrillic, and
            those of Greek, Hebrew, Arabic, Armenian, Georgian, Hindi, Bengali and Thai; for a
            text with a letter such as ä and the words of its language, that of the language: de
            for German; and for a Korean text kr, on which a slip changes one part of a
            syllable.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def random_replacement(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Replace a letter by another of its alphabet, in its case.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def sentence_shuffle(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    window: int | None = None,
) -> Step:
    """Put the sentences of a text, or of a window of it, in another order.

    Shuffle sentences; `p` is a share of the windows.

    Everything between the sentences stays in place. Labels move with their sentences, if it is sure
    where their text is.

    Args:
        window: the number of sentences in a window, counted from the start of the text; without
            it the whole text is one window. Allowed: at least 2.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def shift_slip(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    layout: str = "auto",
    mode: Literal["both", "missed", "held"] = "both",
    digits: bool = False,
) -> Step:
    """Miss shift, or hold it for one key too long: hello, HEllo for Hello.

    Press or release shift too late; `p` is a share of the characters where that can show.

    Args:
        layout: the keyboard: us, gb, de, fr, es, it, ru, ... (`wordlists/keys`); or "auto" for
            one by the script of each letter or the language of the text, as in
            `keyboard_typos`.
        mode: "missed" types a shifted character without shift: / for ?; "held" shifts the
            character after one: HEllo for Hello; "both" does either.
        digits: whether keys with digits and signs of formulas (7 + 5) slip as well: 1 for !, $%
            for $5.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def smart_punctuation(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    direction: Literal["smart", "plain", "both"] = "both",
    kind: Literal["any", "quotes", "dashes", "ellipses"] = "any",
) -> Step:
    """Exchange typewriter quotes, dashes and ellipses for those of print, or back.

    Exchange typographic and typewriter punctuation; `p` is a share of the places for it.

    The characters around a straight quote decide whether it opens or closes. A quote that could do
    either, or mean feet or inches, stays; so does a hyphen between numbers, in a word, or in a
    rule.

    Args:
        direction: "smart" writes “ ” ‘ ’ – — …, "plain" writes " ' - -- and three periods,
            "both" does either.
        kind: the punctuation to exchange, or "any".
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def spelling_variant(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    direction: Literal["us_to_gb", "gb_to_us", "both"] = "both",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Spell a word as on the other side of the Atlantic: colour for color.

    Exchange American and British spellings; `p` is a share of the words that have both.

    Names stay, that is words with a capital inside a sentence: Pearl Harbor.

    Args:
        direction: "us_to_gb" writes the British spelling, "gb_to_us" the American one, "both"
            the other one.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def strip_diacritics(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    script: str | None = None,
    style: Literal["bare", "spelled"] = "bare",
) -> Step:
    """Remove the marks of a letter: e for é.

    Remove accents and other marks; `p` is a share of the letters that have any.

    With p = 1 Vietnamese becomes text typed without tones (Viet Nam dep for Việt Nam đẹp), and
    Arabic loses vowel marks and hamza.

    Args:
        script: the script of the letters, such as "arabic", "hebrew" or "hiragana"; by default
            Latin, Greek, Cyrillic, Arabic, Hebrew and Syriac. Only marks with a combining class
            go, so most vowel signs stay.
        style: "bare" leaves the letter without marks; "spelled" changes only letters of German
            and the Scandinavian languages, into two: ae for ä and æ, oe for ö and ø, ss for ß.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def styled_letters(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    style: Literal[
        "bold",
        "italic",
        "bold_italic",
        "script",
        "bold_script",
        "fraktur",
        "bold_fraktur",
        "double_struck",
        "sans",
        "sans_bold",
        "monospace",
        "fullwidth",
        "circled",
        "small_caps",
    ] = "bold",
    digits: bool = False,
) -> Step:
    """Write letters as mathematical, fullwidth or circled ones: 𝐛𝐨𝐥𝐝.

    Args:
        style: the style; all have the Latin letters without marks, some also digits and Greek
            letters, and small_caps only small Latin letters except x.
        digits: whether to style digits as well, if the style has them.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def synonym(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    profile: Literal["common", "all"] = "common",
    multiword: bool = False,
    lexicon: str = "wordnet",
    tagger: str | Callable[..., Any] | None = None,
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write a word that means the same, inflected alike.

    `p` is a share of the words that have one.
    Function words, numbers, names and words whose part of speech the context leaves open stay as
    they are, and so do labels, code, rows of tables, and terms of documentation,
    medicine and law. "a" and "an" before a replaced word are corrected, as edits of their own.

    Args:
        profile: "common" takes pairs that read well in most places; "all" takes every sense but
            rare and offensive ones, and its replacements often mean something else: read its
            risk as high.
        multiword: also write replacements of several words, such as "give up".
        lexicon: "wordnet" for the built-in one of English; "nltk:LANGUAGE" for any that nltk
            has on this machine, such as "nltk:fra" (without inflection, context or corrected
            articles).
        tagger: "module:function", which gives the Penn tags of a list of words; without it
            parts of speech come from WordNet's counts and rules of context.
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English; with a lexicon of nltk, all texts are changed.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def tool_result(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal[
        "random",
        "missing",
        "truncated",
        "stale",
        "wrong_type",
        "wrong_unit",
        "number",
        "error",
        "timeout",
        "reordered",
    ] = "random",
    valid: bool = False,
    schema: str | None = None,
    schema_in: str | None = None,
) -> Step:
    """Put a fault into the result of a tool: lost, cut, old, wrong, or an error.

    Put one fault into each result; `p` is a share of texts.

    A result is JSON, or plain text. Bytes outside the fault stay. A text that offers no place for
    the fault has no site, as plain text without a date has for `stale`.

    Args:
        kind: "missing" empties the list that is most of it, or all of it; "truncated" cuts the
            text, or its longest list; "stale" sets dates back by one to three years;
            "wrong_type" writes a number as text or a text as a list; "wrong_unit" exchanges a
            unit; "number" changes a digit of a quantity; "error" sends a service's error
            instead, and "timeout" that of a slow one; "reordered" turns the longest list
            around; "random" draws one that fits.
        valid: whether JSON stays valid JSON.
        schema: a file with the JSON Schema of results, or the tool of MCP with its
            `outputSchema`; the step then holds its SHA-256 after the path. It stays fulfilled:
            the fault takes the next place that allows it, such as another number or a part that
            isn't required. A text that isn't such JSON has no site. It needs `jsonschema`.
        schema_in: the path to a field of the row with that schema or tool, in place of
            `schema`, such as `tool.outputSchema`. Where it is null, the result has no site.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def tool_schema(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["name", "description", "order", "decoy"] = "name",
) -> Step:
    """Reword, reorder or add to the tools that a model is offered.

    Change each list of tools; `p` is a share of texts, of `description` one of its words.

    The list is JSON, alone or within a text. A name that changes does so wherever the texts of the
    row have it, and in the right answer, so name the fields with calls too. A text without such a
    list, or with one that offers no place, has no site, and the note of the step says why.

    Args:
        kind: "name" gives each tool a synonym or another form (getWeather for get_weather);
            "description" writes synonyms in the descriptions of tools and parameters; "order"
            puts the tools and their parameters in another order; "decoy" adds a tool that looks
            like one of them, and does something else.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def transliterate(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    system: Literal["iso", "gost", "icao"] = "iso",
) -> Step:
    """Write words of the Cyrillic and Greek scripts in Latin letters.

    Write words in Latin letters by a published standard; `p` is a share of the words.

    A word with a letter outside the standard stays, as do words of other scripts.

    Args:
        system: "iso" writes a letter with its marks for each letter (Moskva, Čehov; Greek by
            ISO 843); "gost" writes ASCII letters and backticks (Russian, by GOST 7.79 system
            B); "icao" writes as in passports (Chekhov; Greek too).
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def truncate(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["start", "end"] = "end",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    unit: Literal["word", "character"] = "word",
) -> Step:
    """Cut off the end of a text, or its beginning.

    Cut off words or characters; `p` is the share that goes.

    Each is an edit of its own, starting from the cut end: so a cut at a smaller `p` is part of the
    cut at a larger one. A word goes with the space or punctuation between it and the words that
    stay. Protected text stays, and the cut goes on beyond it.

    Args:
        where: which letters of a word may be edited.
        unit: the unit to count, "word" or "character".
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def turns(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["shuffle", "repeat", "distract", "drop", "cut"] = "shuffle",
    pool: str | None = None,
) -> Step:
    """Reorder, repeat, drop or add turns of a conversation before its last question.

    Change the turns before the last question; `p` is a share of the conversations.

    A conversation is a field of `choices`, or a text in JSON: a list of messages with `role` or
    `from`. A turn is what a user says, with all answers and calls of tools up to the next such
    message. It goes as a whole, so that roles alternate as before. What comes before the first
    turn stays there, and the last turn stays last.

    Args:
        kind: "shuffle" puts turns in another order; "repeat" puts one in again; "distract" puts
            in one of `pool`; "drop" leaves one out; "cut" leaves out the first one or more.
        pool: a file whose name ends in .jsonl to draw from, with a list of messages on each
            line, from one of a user to an answer. The step then holds its SHA-256 after the
            path.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def typo_mix(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    insert: float = 0.2,
    delete: float = 0.2,
    substitute: float = 0.4,
    swap: float = 0.1,
    repeat: float = 0.1,
    layout: str | None = None,
    digits: bool = False,
) -> Step:
    """Insert, delete, substitute, swap and repeat letters, so that `p` is the error rate.

    Mix typing errors; `p` is the expected character error rate, whatever the weights.

    This holds if most of a text is letters of one code point each; above 0.5 the rate falls short
    of `p`. Letters of scripts without an alphabet here, such as Chinese, are sites only if the
    weights of insertions and substitutions are 0.

    Args:
        insert: weight of inserting a random letter before a letter. Allowed: at least 0.
        delete: weight of deleting a letter. Allowed: at least 0.
        substitute: weight of replacing a letter by another of its alphabet, in the same case.
            Allowed: at least 0.
        swap: weight of swapping two different neighbours. Allowed: at least 0.
        repeat: weight of doubling a letter. Allowed: at least 0.
        layout: a keyboard; inserted and substituted letters are then neighbours of the right
            key, see `keyboard_typos`.
        digits: whether digits are sites as well as letters.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def unit_format(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["name", "scale", "system"] = "name",
    language: Literal["auto", "en"] = "auto",
) -> Step:
    """Write a measure in another form: 5 kilometers for 5 km, or 5,000 m.

    Write measures in another form, the same quantity; `p` is a share of them.

    A measure is a number in digits and a unit of length, area, weight, volume, time, speed or data.
    Some stay: those with a hyphen (a 5-mile run), those whose number is part of something else, and
    those that may count things (4 feet may be an animal's: it counts as a measure before words such
    as long or of, or if no word follows). A part of a measure (5 ft 7 in) changes its name alone.

    Args:
        mode: "name" exchanges the name of a unit and its abbreviation (km, kilometers); "scale"
            writes another unit of the same system, if the number is exact and short (2 hours,
            120 minutes); "system" exchanges metric and imperial units, exactly, if nine digits
            are enough (5 miles, 8.04672 kilometers).
        language: "auto" leaves texts alone that are evidently not English; "en" treats all as
            English.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def whitespace(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    mode: Literal["both", "add", "remove", "double"] = "both",
    longest: int = 2,
) -> Step:
    """Add a space inside a line, or remove one.

    Add and remove spaces; line breaks stay, and numbers are neither split nor joined.

    Args:
        mode: "remove" deletes spaces, and `p` is a share of the spaces; "double" repeats those
            of the space bar, and `p` is a share of these; "add" inserts one before a visible
            character, except at the start of a line or after a space; "both" adds and removes.
        longest: the most spaces that "double" writes for one. Allowed: at least 2.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_delete(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Delete a word and the space next to it.

    A word goes with the spaces before it, the first word of a line with those after it.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_duplicate(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Write a word twice.

    Repeat words, with a space between if the script has them; not parts of fractions, since 1 1/4
    is another number than 1/4.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_insert(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    words: Literal["text", "common"] = "text",
) -> Step:
    """Insert a random word after a word.

    Insert words in the script of the word before them; words with digits are skipped.

    Args:
        words: "text" draws another word of the same text; "common" draws from a list of common
            words of the script (English, Russian, Greek, Hebrew, Arabic, Hindi, Thai, Korean,
            and words that Chinese and Japanese share), and texts in other scripts stay.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_mask(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    token: str = "___",
) -> Step:
    """Write a blank in place of a word.

    Args:
        token: the replacement of each word, such as "[MASK]"; a word that equals `token`
            already stays.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_merge(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Drop the space between two words.

    Delete the spaces between words, if there is nothing else; never between two numbers.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_shuffle(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    window: int = 3,
) -> Step:
    """Put the words of a short window in another order.

    Shuffle words; `p` is a share of the windows.

    A window is a run of words of one sentence, counted from its start. Everything between the words
    stays in place. Labels move with their words, if it is sure where these are.

    Args:
        window: the number of words in a window; a large one holds a whole sentence. Allowed: at
            least 2.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_split(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Put a space inside a word.

    Split words of two characters or more that begin with a letter, but not next to a digit.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def word_swap(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    fix_case: bool = False,
) -> Step:
    """Swap two neighbouring words.

    Swap neighbouring words with only spaces between them, or adjacent segments.

    `p` is the share of the words that move, two in each swap.

    Args:
        fix_case: whether a capital at the start of the first word stays at the start of the
            pair ("The fox" becomes "Fox the", not "fox The").
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def yz_swap(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
) -> Step:
    """Swap y and z, as when a German keyboard is taken for an English one.

    Exchange y and z, in both cases.

    Args:
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """

def zero_width(
    p: float | None = None,
    *,
    intensity: Intensity | None = None,
    severity: Severity | None = None,
    count: int | None = None,
    min_edits: int = 0,
    max_edits: int | None = None,
    per: Literal["unit", "word"] | None = None,
    where: Literal["any", "first", "inner", "last"] = "any",
    of: Literal["any", "letters"] = "any",
    spare: Literal["none", "stopwords"] = "none",
    within: float | None = None,
    signs: bool = True,
    spread: float | None = None,
    skip_first: int = 0,
    skip_last: int = 0,
    min_word_length: int = 0,
    segmenter: str = "",
    field: str = "",
    kind: Literal["any", "space", "word_joiner", "no_break_space", "non_joiner", "joiner"] = "any",
    digits: bool = False,
) -> Step:
    """Insert a zero-width character inside a word.

    Insert invisible characters between two characters of a word, never inside one.

    Args:
        kind: "space" (U+200B), "word_joiner" (U+2060), "no_break_space" (U+FEFF), or "any" of
            these; "non_joiner" (U+200C) and "joiner" (U+200D) show in scripts that join
            letters.
        digits: whether to insert them between digits as well.
        p: the share of units to edit, or the argument of the perturbator's `share`, in [0, 1];
            with `per` "word" the share of words; None if `count` is given.
        intensity: its name, such as "low", if that gave `p`; else None.
        severity: from 1 to 5 if that gave `p`, else None.
        count: the number of edits per text, at least 0.
        min_edits: the fewest edits per text, if there are enough sites.
        max_edits: the most edits per text.
        per: "word" if `p`, `count` and the limits are about words, with one edit in each chosen
            word; else "unit". `perturb.engine.placement.Placement` says more about this and the
            next six.
        where: which letters of a word may be edited.
        of: which characters may be edited, and count as units.
        spare: which words stay.
        within: the share of letters to edit in a chosen word.
        signs: whether punctuation may be edited and written.
        spread: how much the rate differs from text to text: its standard deviation in units of
            its mean, from 0 to 4. Without it, as it was counted, if the noise of the
            perturbator was, unless `count` or `severity` is given or `p` is 1; else 0.
        skip_first: how many words at the start of a text stay.
        skip_last: how many words at its end stay.
        min_word_length: words of fewer characters stay.
        segmenter: the library that cuts Chinese, Japanese and Thai, with its version: "budoux"
            into phrases, or "jieba" Chinese into words. Without it, steps on words leave such
            texts alone.
        field: the path to the texts of a row that the step takes, one of the job's fields;
            empty for all of them.
    """
