"""Map the names of the built-in perturbators to their modules, so that only one has to be loaded.

A test compares this with what the modules register, and says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

# By family, as the documentation groups them.
FAMILIES: Mapping[str, Mapping[str, str]] = {
    "Letters and keys": {
        "letters.chars": "char_delete char_insert char_repeat char_replace char_swap elongate "
        "leetspeak random_delete random_insert random_replacement",
        "letters.typos": "typo_mix",
        "letters.slips": "human_typos",
        "letters.keyboard": "keyboard_typos layout_swap qwerty random_keyboard_typos shift_slip "
        "yz_swap",
    },
    "Case, space and punctuation": {
        "layout.case_and_space": "case identity whitespace",
        "layout.lines": "edge_whitespace line_breaks",
        "layout.punctuation": "dictation punctuation",
        "layout.typography": "exotic_whitespace smart_punctuation",
    },
    "Unicode": {
        "unicode.lookalikes": "bidi homoglyph styled_letters zero_width",
        "unicode.transliteration": "transliterate",
        "unicode.diacritics": "add_diacritics combining_marks normalize strip_diacritics",
        "unicode.emoji": "emoji",
    },
    "Machines and encodings": {
        "machines.asr": "asr",
        "machines.fitted": "fitted",
        "machines.ocr": "ocr random_OCR",
        "machines.mojibake": "html_entities mojibake",
        "machines.encode": "encode encoding_base16",
    },
    "Words": {
        "words.words": "comma comma_insert word_delete word_duplicate word_mask word_merge "
        "word_split word_swap",
        "words.fillers": "filler",
        "words.substitutions": "abbreviation contraction homophone misspelling spelling_variant",
        "words.wordnet": "antonym hypernym synonym",
        "words.negation": "negation",
        "words.numbers": "number_format",
        "words.dates": "date_format",
        "words.money": "currency_format",
        "words.units": "unit_format",
    },
    "People, places and varieties": {
        "people.people": "gender_swap name_swap",
        "people.places": "entity_swap",
        "people.dialect": "dialect",
        "people.code_switch": "code_switch",
        "people.grammar": "grammar_errors",
    },
    "Order and passages": {
        "order.insertions": "add_context word_insert",
        "order.passages": "duplicate sentence_shuffle truncate word_shuffle",
    },
    "Prompts and options": {
        "prompts.instructions": "instruction_style",
        "prompts.distractors": "distractor",
        "prompts.prompts": "example_shuffle few_shot_order prompt_format",
        "prompts.options": "option_labels option_shuffle",
    },
}
MODULE_OF: Mapping[str, str] = MappingProxyType(
    {
        name: module
        for modules in FAMILIES.values()
        for module, names in modules.items()
        for name in names.split()
    }
)
# Other libraries whose functions have names here, such as nlpaug.KeyboardAug, with their modules.
LIBRARIES: Mapping[str, str] = MappingProxyType({"nlpaug": "shared.nlpaug"})


def load(name: str) -> None:
    """Import the module of a built-in perturbator, if that is the name of one."""
    if name in MODULE_OF:
        import_module(f"perturb.perturbators.{MODULE_OF[name]}")


def is_of_library(name: str) -> bool:
    """Return whether a name is that of another library's function."""
    library, dot, _ = name.partition(".")
    return bool(dot) and library in LIBRARIES


def is_drop_in(name: str) -> bool:
    """Return whether a name has the form of a drop-in name: a library before a dot.

    Functions of libraries that run themselves, such as `nlpaug.KeyboardAug`, are none.
    """
    if "." not in name or is_of_library(name):
        return False
    return re.fullmatch(r"[^\W\d_]\w*\.[^\W\d_]\w*", name) is not None
