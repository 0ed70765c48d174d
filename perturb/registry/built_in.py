"""Map the names of the built-in perturbators to their modules, so that only one has to be loaded.

A test compares this with what the modules register, and says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

# By family, as the documentation groups them.
FAMILIES: Mapping[str, Mapping[str, str]] = {
    "Letters and keys": {
        "chars": "char_delete char_insert char_replace char_swap "
        "random_delete random_insert random_replacement",
        "typos": "typo_mix",
        "slips": "human_typos",
        "repeats": "char_repeat elongate",
        "keyboard": "keyboard_typos qwerty random_keyboard_typos yz_swap",
        "keys": "layout_swap shift_slip",
        "leet": "leetspeak",
    },
    "Case, space and punctuation": {
        "case_and_space": "case identity whitespace",
        "lines": "edge_whitespace line_breaks",
        "punctuation": "dictation punctuation",
        "typography": "exotic_whitespace smart_punctuation",
    },
    "Unicode": {
        "lookalikes": "bidi homoglyph styled_letters zero_width",
        "transliteration": "transliterate",
        "diacritics": "add_diacritics combining_marks normalize strip_diacritics",
        "emoji": "emoji",
    },
    "Machines and encodings": {
        "asr": "asr",
        "ocr": "ocr random_OCR",
        "mojibake": "mojibake",
        "entities": "html_entities",
        "encode": "encode encoding_base16",
    },
    "Words": {
        "words": "comma comma_insert word_delete word_duplicate word_mask word_merge word_split "
        "word_swap",
        "fillers": "filler",
        "substitutions": "abbreviation contraction homophone misspelling spelling_variant",
        "wordnet": "antonym hypernym synonym",
        "negation": "negation",
        "numbers": "number_format",
        "dates": "date_format",
        "money": "currency_format",
        "units": "unit_format",
    },
    "People, places and varieties": {
        "people": "gender_swap name_swap",
        "places": "entity_swap",
        "dialect": "dialect",
        "code_switch": "code_switch",
        "grammar": "grammar_errors",
    },
    "Order and passages": {
        "shuffles": "sentence_shuffle word_shuffle",
        "insertions": "add_context word_insert",
        "passages": "duplicate truncate",
    },
    "Prompts and options": {
        "instructions": "instruction_style",
        "distractors": "distractor",
        "prompts": "example_shuffle few_shot_order prompt_format",
        "options": "option_labels option_shuffle",
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
LIBRARIES: Mapping[str, str] = MappingProxyType({"nlpaug": "_nlpaug"})


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
