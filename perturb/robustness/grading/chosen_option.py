"""The option that a reply chooses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import regex

from perturb.robustness.grading.boxed import boxed, keyed
from perturb.robustness.grading.matches import plain
from perturb.robustness.grading.option_labels import (
    LETTERS,
    NAME,
    Options,
    option_of_label,
    option_of_text,
)
from perturb.values.patterns import lazy_regex

T = TypeVar("T")

# Letters, digits and signs as wide as ideographs: Ｂ is B.
_WIDE, _IS_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}, lazy_regex("[！-～]")
# Beyond eight options nobody counts by words.
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_TEX = lazy_regex(
    r"\\(?:boxed|fbox|text|textbf|textit|mathrm|mathbf|mbox)\b|\\[()\[\]]|[{}$*_`\"“”]"
)
_BEFORE = (
    r"[\s(\[:：=*'-]*(?:(?i:definitely|clearly|certainly|surely|obviously|probably)\s+)?"
    r"(?:(?i:option|choice|answer|letter|number)\s+)?[(\[]?"
)
_SAID = (
    # What says an answer, the most telling first.
    lazy_regex(
        r"(?i:\banswer\b(?:\s+(?:to|for)\s[^.\n]{0,80}?)?"
        r"(?:\s+(?:choice|option|letter))?(?:\s*(?:is|would\s+be|should\s+be|must\s+be|[:=-]))+)"
        + _BEFORE
    ),
    lazy_regex(
        r"(?i:\b(?:antwoord|antwort|r[ée]ponse|respuesta|resposta|risposta)\b"
        r"(?:\s+(?:correcta|correcte|correta|corretta))?(?:\s*(?:es|est|ist|is|é|è|[:=-]))+"
        r"|(?:ответ|答案|答え|回答|正解|정답)(?:\s*(?:是|为|為|は|은|는|это|[:：=—-]))*)" + _BEFORE
    ),
    lazy_regex(
        r"(?i:\b(?:choose|pick|select|go(?:ing)?\s+with|choice\s+is|option\s+is)\b[\s:]*"
        r"|\bchoice\s*[:：]\s*)" + _BEFORE
    ),
    lazy_regex(
        r"(?i:\b(?:correct|right|best)\b(?:\s+(?:choice|option|one|letter))?\s*(?:is|[:=])\s*)"
        + _BEFORE
    ),
    lazy_regex(r"(?i:\b(?:it|that|this)(?:\s+is|['’]s|\s+must\s+be|\s+has\s+to\s+be))" + _BEFORE),
)
_TOKEN = lazy_regex(rf"(?P<name>{NAME})(?P<after>[)\]]|(?![\p{{Latin}}\p{{Cyrillic}}\d_'’]))")
_ARE_WORDS = {*"AIАВ"}  # the last two of Russian
_NUMERIC = lazy_regex(r"[^\w\s]*\d[\d.,]*[^\w\s]*")
# Words about an option, or after one at the beginning of a reply.
_AFFIRMED = lazy_regex(
    rf"(?<![\w'’])[(\[]?(?P<name>{NAME})[)\]]?\s+is\s+(?:the\s+)?(?:only\s+|most\s+)?"
    r"(?:correct|right|best)\b"
)
_OPENING = lazy_regex(
    rf"\W*(?P<name>{NAME})(?:[ \t]{{0,9}}(?:$|\n)|[,;]?\s{{1,9}}(?:because|since)\b|[,;] not\b)"
)
# A line below another one that begins with a label, as in a list of options.
_LISTED = lazy_regex(rf"[^\n]*\n[ \t(\[*-]*(?:{NAME})[.):\]]")
# Words that say an opinion or a conclusion, before a label with which the sentence ends.
_OPINION = lazy_regex(
    r"(?i:\b(?:say|believe|think|guess|probably|likely|so|therefore|thus|hence)\b[\s,:]*)" + _BEFORE
)
# Words that take back an answer, before another one.
_CORRECTED = lazy_regex(
    r"(?i:\b(?:wait|actually|correction|scratch that|i meant?|oops|hold on|sorry|no)\b"
    r"[\s,.:;!…—–-]{1,9}(?:rather|make (?:it|that)|(?:it|that)(?:['’]s| is| should be| must be))?)"
    + _BEFORE
)
_CONCLUDES = lazy_regex(r"[ \t.!)\]]{0,9}(?:$|\n)|[,;]? (?:because|since)\b")
# What turns round that which follows.
_DENIED = lazy_regex(
    r"(?i)(?:n['’]t|\b(?:not|never|doubt|if|whether|unless))"
    r"(?:\s+(?:think|believe|say|sure|that|the|if|whether|correct|right|best|final))*\s*$"
)
# The content has no second opening tag, as it would be looked for to the end of the reply from
# each tag that isn't closed.
_TAGGED = lazy_regex(r"(?is)<(answer|final|choice)>((?:(?!<\1>).)*?)</\1>")
_ORDINAL = lazy_regex(
    rf"(?i)\b(?:the\s+)?(?P<word>{'|'.join(_ORDINALS)}|last)\s+(?:option|choice|answer|one)\b"
)
# In brackets, or first on a line: lines of signs before it are passed over from the first alone.
_MARKED = lazy_regex(
    rf"[(\[](?P<name>{NAME})[)\]]|(?:\A|(?<=\w[^\w\n]*\n))\W*(?P<name>{NAME})[.):]"
)
_MENTIONED = lazy_regex(rf"(?i:\b(?:option|choice)\s+)[(\[]?(?P<name>{NAME})(?![\w'’])")
# Another label that ends the line.
_SEVERAL = lazy_regex(rf"(?m)[)\]]?\s*(?:[,/&]|\b(?:and|or)\b)\s*[(\[]?(?:{NAME})[)\]]?[\s.!?]*?$")
_REST = lazy_regex(
    r"\s*(?:$|[.,;:!)\]。，、]|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]|\n|-|–|—|because\b|since\b|as\b)"
)


def chosen_option(reply: str, options: Options) -> int | None:
    r"""Return the place of the option that a reply chooses; None where it chooses none.

    Examples:
        >>> question = Options(("i", "ii"), ("Rome", "Paris"))
        >>> [chosen_option(said, question) for said in ("II", "Answer: b", "It is Paris.", "Hm")]
        [1, 1, 1, None]
    """
    return first(read(text, options) for text in bare_texts(reply) for read in _READERS)


def bare_texts(reply: str) -> Iterator[str]:
    """Yield where an answer may stand, the most telling first: its key, a box or tag, and all."""
    tagged = [match[2] for match in _TAGGED.finditer(reply)][-1:]
    for text in (*filter(None, (keyed(reply), boxed(reply))), *tagged, reply):
        bare = _TEX.sub("", text).strip()
        yield bare.translate(_WIDE) if _IS_WIDE.search(bare) else bare


def first(values: Iterable[T | None]) -> T | None:
    """Return the first value that is not None; None where there is no other."""
    return next((value for value in values if value is not None), None)


def _whole(text: str, options: Options) -> int | None:
    """Return the option of a reply that is a label, a label with its option, or an option."""
    name = text.strip("()[]{}<>'‘’.:;,!?。 \t\n")
    name = regex.sub(r"(?i)^answer\s+", "", name)
    if name.lower() in _ORDINALS[: len(options.labels)]:
        return _ORDINALS.index(name.lower())
    if len(name) <= 5:
        # Among options that are numbers, "2" is the option "2" rather than the second.
        are_numbers = any(map(_NUMERIC.fullmatch, options.texts))
        if are_numbers and name.isdecimal() and name not in options.labels:
            place = option_of_text(name, options)
        else:
            place = option_of_label(name, options)
        if place is not None:
            return place
    # "A:" before a lone label means "answer".
    field = regex.fullmatch(rf"[Aa]\s*[:：]\W*(?P<name>{NAME})\W*", text)
    if field and option_of_text(field["name"], options) is None:
        return option_of_label(field["name"], options)
    opening = regex.match(rf"\W*(?P<name>{NAME})[.):\]]\s*(?P<text>.*)", text, regex.S)
    if opening and not _LISTED.match(text):
        place = option_of_label(opening["name"], options)
        rest = plain(opening["text"].split("\n")[0])
        if place is not None and options.texts and rest.startswith(plain(options.texts[place])):
            return place
    return option_of_text(text, options)


def _stated(text: str, options: Options) -> int | None:
    """Return the option after the last phrase that says an answer."""
    rests = (_following(text, at, options) for at in said_at(text))
    return first(_at(rest, options) for rest in _each_once(rests))


def _each_once(texts: Iterable[str]) -> Iterator[str]:
    """Yield different texts: a model that got stuck says the same thousands of times."""
    seen = set[str]()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def said_at(text: str) -> Iterator[int]:
    """Yield where phrases that say an answer end, the most telling first."""
    phrases = (match for phrase in _SAID for match in reversed([*phrase.finditer(text)]))
    return (each.end() for each in phrases if not is_denied(text, each))


def _following(text: str, at: int, options: Options) -> str:
    """Return what follows a place, as far as it can matter: replies may be long."""
    return text[at : at + 2 * max(map(len, options.texts), default=0) + 200]


def _at(rest: str, options: Options) -> int | None:
    """Return the option with whose text or label what follows a phrase begins."""
    line = plain(rest.split("\n")[0])
    fitting = [
        place
        for place, option in enumerate(options.texts)
        if plain(option) and f"{line} ".startswith(f"{plain(option)} ")
    ]
    if fitting:
        return max(fitting, key=lambda place: len(options.texts[place]))
    token = _TOKEN.match(rest)
    if token is None or _SEVERAL.match(rest, token.end()):
        return None
    name = token["name"]
    ends = token["after"] or _REST.match(rest, token.end())
    if ends or (name.isupper() and name not in _ARE_WORDS):
        return option_of_label(name, options)
    return None


def is_denied(text: str, match: regex.Match[str]) -> bool:
    """Return whether the words before a match deny it."""
    return bool(_DENIED.search(text[max(0, match.start() - 60) : match.start()]))


def _affirmed(text: str, options: Options) -> int | None:
    """Return the one option that is said to be correct."""
    return _only(
        options, (match for match in _AFFIRMED.finditer(text) if not is_denied(text, match))
    )


def _opening(text: str, options: Options) -> int | None:
    """Return the option whose label stands first, alone on its line or with a reason."""
    label = _OPENING.match(text)
    return option_of_label(label["name"], options, strict=True) if label else None


def _corrected(text: str, options: Options) -> int | None:
    """Return the option that takes the place of those before: A, or wait, no, B."""
    phrases = list(_CORRECTED.finditer(text))
    said = max(said_at(text), default=0) if phrases else 0
    return _ending(text, [each for each in phrases if each.end() >= said], options)


def _concluded(text: str, options: Options) -> int | None:
    """Return the option with which the last opinion or conclusion ends."""
    return _ending(text, list(_OPINION.finditer(text)), options)


def _ending(text: str, phrases: Sequence[regex.Match[str]], options: Options) -> int | None:
    """Return the option behind the last phrase that one follows, and with which its line ends."""
    ends = (phrase.end() for phrase in reversed(phrases) if not is_denied(text, phrase))
    for rest in _each_once(_following(text, at, options) for at in ends):
        named = option_of_text(rest.split("\n")[0], options)
        if named is not None:
            return named
        token = _TOKEN.match(rest)
        if token and _CONCLUDES.match(rest, token.end("name")):
            return option_of_label(token["name"], options, strict=True)
    return None


def _ordinal(text: str, options: Options) -> int | None:
    """Return the option that is named by its place: "the second option"."""
    words = {match["word"].lower() for match in _ORDINAL.finditer(text)}
    if len(words) != 1:
        return None
    (word,) = words
    place = len(options.labels) - 1 if word == "last" else _ORDINALS.index(word)
    return place if options.texts and place < len(options.labels) else None


def _only_text(text: str, options: Options) -> int | None:
    """Return the one option whose text is in the reply; a longer one hides those within it."""
    words = f" {plain(text)} "
    places = []
    for place in sorted(range(len(options.texts)), key=lambda at: -len(options.texts[at])):
        option = plain(options.texts[place])
        if option and f" {option} " in words:
            words = words.replace(f" {option} ", " | ")
            places.append(place)
    if len(places) != 1:
        return None
    matches = list(regex.finditer(regex.escape(options.texts[places[0]]), text, regex.I))
    denied = bool(matches) and all(is_denied(text, match) for match in matches)
    return None if denied else places[0]


def _only_label(text: str, options: Options) -> int | None:
    """Return the one option whose label is in brackets or, failing that, follows "option"."""
    marks = (each for each in _MARKED.finditer(text) if not _refused(text, each, options))
    marked = _only(options, marks)
    return _only(options, _MENTIONED.finditer(text)) if marked is None else marked


def _refused(text: str, label: regex.Match[str], options: Options) -> bool:
    """Return whether a label, or the option that it stands behind, is denied: not red (A)."""
    place = option_of_label(label["name"], options, strict=True)
    own = options.texts[place] if place is not None and options.texts else ""
    before = text[max(0, label.start() - 60 - len(own)) : label.start()].rstrip()
    if before.lower().endswith(own.lower()):
        before = before[: len(before) - len(own)]
    return bool(_DENIED.search(before))


def _only(options: Options, labels: Iterable[regex.Match[str]]) -> int | None:
    """Return the one option that all labels found are of."""
    places = {option_of_label(match["name"], options, strict=True) for match in labels} - {None}
    return places.pop() if len(places) == 1 else None


# What reads a reply, the most telling first.
_READERS = (
    *(_whole, _corrected, _stated, _affirmed, _opening, _concluded),
    *(_ordinal, _only_text, _only_label),
)


def option_letter(text: str) -> str | None:
    r"""Return the option letter that a text chooses, where the question is not known.

    Examples:
        >>> option_letter("b"), option_letter("The answer is B, not C. Option A would need more.")
        ('B', 'B')
        >>> option_letter("No idea.") is None
        True
    """
    place = chosen_option(text, LETTERS)
    return None if place is None else LETTERS.labels[place]
