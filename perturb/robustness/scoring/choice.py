"""The option that a reply chooses, by the labels and the texts that its question has."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, NamedTuple

import regex

from perturb.errors import PerturbError
from perturb.io import json_path
from perturb.robustness.scoring.boxed import boxed
from perturb.robustness.scoring.matches import plain
from perturb.robustness.scoring.record_text import original_and_edits, written_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from perturb.robustness.scoring.sources import Row

_ROMAN = tuple(
    tens + ones
    for tens in ("", "x")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
)[1:]
_DIGITS = tuple(str(count) for count in range(1, 27))
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_NUMBERINGS = (tuple(ascii_lowercase), _DIGITS, _ROMAN, _WORDS)

_NAME = rf"[A-Za-z]|\d{{1,2}}|[ivxIVX]{{1,5}}|(?i:{'|'.join(_WORDS)})"
_MARK = rf"[(\[]?(?P<name>{_NAME})[.):\]]"
_LEADING = regex.compile(
    rf"(?m)^[ \t]*(?:[-*•+–·>][ \t]*)?\**{_MARK}\**[ \t]*(?P<text>\S.*?)[ \t\r]*$"
)
_NEXT = rf"(?:(?:and|or)[ \t]+)?[(\[]?(?:{_NAME})[.):\]][ \t]"
_INLINE = regex.compile(rf"(?m)(?<!\S){_MARK}[ \t]+(?P<text>\S.*?)(?=[ \t,;|]+{_NEXT}|[ \t\r]*$)")
# Options without labels, as bullets under a line that says what they are.
_BULLET = regex.compile(r"(?m)^[ \t]*[-*•+–·][ \t]+(\S.*?)[ \t\r]*$")
_BULLETED = regex.compile(
    r"(?mi)^[ \t]*(?:answer[ \t]+)?(?:options|choices|alternatives|candidates)\b.*\s*\n"
    r"(?:[ \t]*[-*•+–·][ \t]+\S.*(?:\s*\n|\Z)){2,}"
)

_TEX = regex.compile(
    r"\\(?:boxed|fbox|text|textbf|textit|mathrm|mathbf|mbox)\b|\\[()\[\]]|[{}$*_`\"“”]"
)
_BEFORE = r"[\s(\[:：=*'-]*(?:(?i:option|choice|answer|letter|number)\s+)?[(\[]?"
_SAID = (
    # What says an answer, the most telling first.
    regex.compile(
        r"(?i:\banswer\b(?:\s+(?:to|for)\s[^.\n]{0,80}?)?"
        r"(?:\s+(?:choice|option|letter))?(?:\s*(?:is|would\s+be|should\s+be|must\s+be|[:=-]))+)"
        + _BEFORE
    ),
    regex.compile(
        r"(?i:\b(?:antwoord|antwort|r[ée]ponse|respuesta|resposta|risposta)\b"
        r"(?:\s+(?:correcta|correcte|correta|corretta))?(?:\s*(?:es|est|ist|is|é|è|[:=-]))+"
        r"|(?:ответ|答案|答え|回答|正解|정답)(?:\s*(?:是|为|為|は|은|는|это|[:：=—-]))*)" + _BEFORE
    ),
    regex.compile(
        r"(?i:\b(?:choose|pick|select|go(?:ing)?\s+with|choice\s+is|option\s+is)\b[\s:]*)" + _BEFORE
    ),
    regex.compile(
        r"(?i:\b(?:correct|right|best)\b(?:\s+(?:choice|option|one|letter))?\s*(?:is|[:=])\s*)"
        + _BEFORE
    ),
    regex.compile(
        r"(?i:\b(?:it|that|this)(?:\s+is|['’]s|\s+must\s+be|\s+has\s+to\s+be))" + _BEFORE
    ),
)
_TOKEN = regex.compile(rf"(?P<name>{_NAME})(?P<after>[)\]]|(?![\p{{Latin}}\d_'’]))")
# What is said of it, or follows it at the beginning of a reply.
_AFFIRMED = regex.compile(
    rf"(?<![\w'’])[(\[]?(?P<name>{_NAME})[)\]]?\s+is\s+(?:the\s+)?(?:only\s+|most\s+)?"
    r"(?:correct|right|best)\b"
)
_OPENING = regex.compile(
    rf"\W*(?P<name>{_NAME})(?:[ \t]{{0,9}}(?:$|\n)|[,;]?\s{{1,9}}(?:because|since)\b)"
)
# Words that say an opinion or a conclusion, before a label with which the sentence ends.
_OPINION = regex.compile(
    r"(?i:\b(?:say|believe|think|guess|probably|likely|so|therefore|thus|hence)\b[\s,:]*)" + _BEFORE
)
# What turns round that which follows.
_DENIED = regex.compile(
    r"(?i)(?:n['’]t|\b(?:not|never|doubt|if|whether|unless))"
    r"(?:\s+(?:think|believe|say|sure|that|the|if|whether|correct|right|best|final))*\s*$"
)
_TAGGED = regex.compile(r"(?is)<(answer|final|choice)>\s*(.{1,500}?)\s*</\1>")
_ORDINAL = regex.compile(
    rf"(?i)\b(?:the\s+)?(?P<word>{'|'.join(_ORDINALS)}|last)\s+(?:option|choice|answer|one)\b"
)
_MARKED = regex.compile(rf"[(\[](?P<name>{_NAME})[)\]]|(?m:^)\W*(?P<name>{_NAME})[.):]")
_MENTIONED = regex.compile(rf"(?i:\b(?:option|choice)\s+)[(\[]?(?P<name>{_NAME})(?![\w'’])")
# Another label that ends the line.
_SEVERAL = regex.compile(
    rf"(?m)[)\]]?\s*(?:[,/&]|\b(?:and|or)\b)\s*[(\[]?(?:{_NAME})[)\]]?[\s.!?]*?$"
)
_REST = regex.compile(
    r"\s*(?:$|[.,;:!)\]。，、]|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]|\n|-|–|—|because\b|since\b|as\b)"
)


class Options(NamedTuple):
    """The options of a question: the labels as it writes them, and the texts."""

    labels: tuple[str, ...]
    texts: tuple[str, ...]


_UNKNOWN = Options(tuple(ascii_lowercase.upper()), ())


@lru_cache(maxsize=4096)
def options_of(question: str) -> Options | None:
    r"""Find the options in a question; None where no two labels count up from the first.

    Bullets under a line such as "Options:" are options too, counted A, B, C.

    Examples:
        >>> options_of("Capital of France?\n(i) Rome\n(ii) Paris")
        Options(labels=('i', 'ii'), texts=('Rome', 'Paris'))
        >>> options_of("Which is red? A. sky B. blood")
        Options(labels=('A', 'B'), texts=('sky', 'blood'))
    """
    for pattern in (_LEADING, _INLINE):
        found = [(match["name"], match["text"]) for match in pattern.finditer(question)]
        runs = [run for start in range(len(found)) for run in _runs(found[start:])]
        if runs:
            longest = max(runs, key=len)
            return Options(*(tuple(part) for part in zip(*longest, strict=True)))
    listed = _BULLETED.search(question)
    texts = tuple(_BULLET.findall(listed[0])) if listed else ()
    return Options(_UNKNOWN.labels[: len(texts)], texts) if texts else None


def _runs(found: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """The labels from the first on that count up, in each numbering that fits."""
    for numbering in _NUMBERINGS:
        run = 0
        while run < min(len(found), len(numbering)) and found[run][0].lower() == numbering[run]:
            run += 1
        if run > 1:
            yield found[:run]


def by_choice(row: Row, prediction: str, target: str) -> tuple[float, str | None]:
    """Score 1 where the option that was chosen is the right one.

    The options are those of the row's own text, so that labels of any kind and options in any
    order are read as the system saw them. A reply is read in this order: it is a label or an
    option's text; what stands in the last box; what follows "answer is", "I choose", "it is"; the
    "second option"; an option's text that alone stands in it; a label in brackets, or after
    "option", where there is but one such. A letter that stands about is none.

    The target is a label, a number from 0 or the text of an option. Where the record does not
    say that the answer followed its option, it is that of the original, and its text is looked up
    among the options as they are now.

    Args:
        row: with its record, if it was perturbed.
        prediction: the field of what the system said.
        target: the field of the right answer.

    Returns:
        The score, and the text of the chosen option, or its label where no texts are known.

    Raises:
        ValueError: the target names none of the options.
    """
    options = _options(row, prediction, target)
    right = _right(row, row[target], options)
    said = row[prediction]
    chosen = None if said is None else chosen_option(str(said), options or _UNKNOWN)
    if chosen is None:
        return 0.0, None
    names = (options.texts if options else ()) or _UNKNOWN.labels
    return float(chosen == right), names[chosen]


def _options(row: Row, prediction: str, target: str) -> Options | None:
    """The options that the system saw."""
    if isinstance(row.get("perturbation"), dict):
        text = written_text(row)
        if text is None and row["perturbation"].get("status") != "original":
            text = original_and_edits(row)[0]
        found = options_of(text) if text else None
        if found is not None:
            return found
    for name, value in row.items():
        if name not in (prediction, target):
            for text in _texts(value):
                found = options_of(text)
                if found is not None:
                    return found
    return None


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(one, dict) for one in value):
        try:
            yield from (
                text
                for _, text in json_path.locate({"m": value}, "m[*].content")
                if isinstance(text, str)
            )
        except PerturbError:
            return


def _right(row: Row, value: Any, options: Options | None) -> int:
    known = options or _UNKNOWN
    record = row.get("perturbation")
    if isinstance(record, dict) and "answer" not in record and record.get("status") == "changed":
        before = options_of(original_and_edits(row)[0] or "")
        place = None if before is None else _named(value, before)
        if before is not None and place is not None and options is not None:
            texts = [plain(text) for text in options.texts]
            text = plain(before.texts[place])
            return texts.index(text) if texts.count(text) == 1 else place
    place = _named(value, known)
    if place is None:
        raise ValueError("holds no choice answer")
    return place


def _named(value: Any, options: Options) -> int | None:
    """The option that a target names."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value < len(options.labels) else None
    text = str(value).strip()
    place = _by_label(text.strip("()[]{}.: \t"), options)
    return place if place is not None else _by_text(text, options)


def _by_label(name: str, options: Options, strict: bool = False) -> int | None:
    """The option of this label; in the question's own numbering, else in any other."""
    if name in options.labels:
        return options.labels.index(name)
    lower = [label.lower() for label in options.labels]
    if name.lower() in lower:
        return lower.index(name.lower())
    if strict:
        return None
    for numbering in _NUMBERINGS:
        if name.lower() in numbering[: len(options.labels)]:
            return numbering.index(name.lower())
    return None


def _by_text(text: str, options: Options) -> int | None:
    texts = [plain(each) for each in options.texts]
    return texts.index(plain(text)) if texts.count(plain(text)) == 1 and plain(text) else None


def chosen_option(said: str, options: Options) -> int | None:
    r"""Return the place of the option that a reply chooses; None where it chooses none.

    Examples:
        >>> question = options_of("Capital?\n(i) Rome\n(ii) Paris")
        >>> [chosen_option(said, question) for said in ("II", "Answer: b", "It is Paris.", "Hm")]
        [1, 1, 1, None]
    """
    box = boxed(said)
    tagged = [match[2] for match in _TAGGED.finditer(said)][-1:]
    for text in (*([box] if box else []), *tagged, said):
        bare = _TEX.sub("", text).strip()
        for read in (
            *(_whole, _stated, _affirmed, _opening, _concluded),
            *(_ordinal, _only_text, _only_label),
        ):
            found = read(bare, options)
            if found is not None:
                return found
    return None


def _whole(text: str, options: Options) -> int | None:
    """A reply that is a label, a label with its option, or an option."""
    name = text.strip("()[]{}<>'‘’.:;,!?。 \t\n")
    name = regex.sub(r"(?i)^answer\s+", "", name)
    if name.lower() in _ORDINALS[: len(options.labels)]:
        return _ORDINALS.index(name.lower())
    if len(name) <= 5:
        found = _by_label(name, options)
        if found is not None:
            return found
    # "A:" before a lone label stands for the answer.
    field = regex.fullmatch(rf"[Aa]\s*[:：]\W*(?P<name>{_NAME})\W*", text)
    if field and _by_text(field["name"], options) is None:
        return _by_label(field["name"], options)
    opening = regex.match(rf"\W*(?P<name>{_NAME})[.):\]]\s*(?P<text>.*)", text, regex.S)
    if opening:
        found = _by_label(opening["name"], options)
        rest = plain(opening["text"].split("\n")[0])
        if found is not None and options.texts and rest.startswith(plain(options.texts[found])):
            return found
    return _by_text(text, options)


def _stated(text: str, options: Options) -> int | None:
    """Return the option after the last phrase that says an answer."""
    for phrase in _SAID:
        places = [match.end() for match in phrase.finditer(text) if not _denied(text, match)]
        for at in reversed(places):
            found = _at(text, at, options)
            if found is not None:
                return found
    return None


def _following(text: str, at: int, options: Options) -> str:
    """Return what follows a place, as far as it can matter: replies may be long."""
    return text[at : at + 2 * max(map(len, options.texts), default=0) + 200]


def _at(text: str, at: int, options: Options) -> int | None:
    rest = _following(text, at, options)
    line = plain(rest.split("\n")[0])
    fitting = [
        place
        for place, option in enumerate(options.texts)
        if plain(option) and f"{line} ".startswith(f"{plain(option)} ")
    ]
    if fitting:
        return max(fitting, key=lambda place: len(options.texts[place]))
    token = _TOKEN.match(rest)
    if token is None:
        return None
    if _SEVERAL.match(rest, token.end()):
        return None
    name = token["name"]
    ends = token["after"] or _REST.match(rest, token.end())
    if ends or (name.isupper() and name not in ("A", "I")):
        return _by_label(name, options)
    return None


def _denied(text: str, found: regex.Match[str]) -> bool:
    """Return whether what was found is turned round by what stands before it."""
    return bool(_DENIED.search(text[max(0, found.start() - 60) : found.start()]))


def _affirmed(text: str, options: Options) -> int | None:
    """Return the one option that is said to be correct."""
    names = {match["name"] for match in _AFFIRMED.finditer(text) if not _denied(text, match)}
    places = {_by_label(name, options, strict=True) for name in names} - {None}
    return places.pop() if len(places) == 1 else None


def _opening(text: str, options: Options) -> int | None:
    """Return the option whose label stands first, alone on its line or with a reason."""
    found = _OPENING.match(text)
    return _by_label(found["name"], options, strict=True) if found else None


def _concluded(text: str, options: Options) -> int | None:
    """Return the option with which the last opinion or conclusion ends."""
    for found in reversed(list(_OPINION.finditer(text))):
        if _denied(text, found):
            continue
        rest = _following(text, found.end(), options)
        named = _by_text(rest.split("\n")[0], options)
        if named is not None:
            return named
        token = _TOKEN.match(rest)
        if token and regex.match(r"[ \t.!)\]]{0,9}(?:$|\n)", rest[token.end("name") :]):
            return _by_label(token["name"], options, strict=True)
    return None


def _ordinal(text: str, options: Options) -> int | None:
    words = {match["word"].lower() for match in _ORDINAL.finditer(text)}
    if len(words) != 1:
        return None
    (word,) = words
    place = len(options.labels) - 1 if word == "last" else _ORDINALS.index(word)
    return place if options.texts and place < len(options.labels) else None


def _only_text(text: str, options: Options) -> int | None:
    """The one option whose text stands in the reply; a longer one hides those within it."""
    said = f" {plain(text)} "
    found = []
    for place in sorted(range(len(options.texts)), key=lambda at: -len(options.texts[at])):
        option = plain(options.texts[place])
        if option and f" {option} " in said:
            said = said.replace(f" {option} ", " | ")
            found.append(place)
    if len(found) != 1:
        return None
    written = list(regex.finditer(regex.escape(options.texts[found[0]]), text, regex.I))
    denied = bool(written) and all(_denied(text, match) for match in written)
    return None if denied else found[0]


def _only_label(text: str, options: Options) -> int | None:
    for pattern in (_MARKED, _MENTIONED):
        names = {match["name"] for match in pattern.finditer(text)}
        places = {_by_label(name, options, strict=True) for name in names} - {None}
        if len(places) == 1:
            return places.pop()
    return None


def option_letter(text: str) -> str | None:
    r"""Return the option letter that a text chooses, where the question is not known.

    Examples:
        >>> option_letter("b"), option_letter("The answer is B, not C. Option A would need more.")
        ('B', 'B')
        >>> option_letter("No idea.") is None
        True
    """
    place = chosen_option(text, _UNKNOWN)
    return None if place is None else _UNKNOWN.labels[place]
