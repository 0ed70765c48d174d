"""The questions of a batch as columns, and why their options can't change."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters, ascii_uppercase, digits
from typing import NamedTuple, TypeVar

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import set_of
from perturb.engine.text.sentences import line_ends
from perturb.engine.text.strings import Strings, decode, ranges, runs, same
from perturb.perturbators.prompts._multiple_choice import (
    GOES_ON,
    Form,
    Options,
    Span,
    mention,
    named,
)
from perturb.perturbators.prompts._multiple_choice import labelled as labelled_options
from perturb.values.arrays import Bool, Codes, Int64, UInt32
from perturb.values.lists import NUMBERINGS

_OPTIONS = r"(?:options|choices|answers)"
# Options that stand for all others, in the words of eleven languages.
_ANCHOR = regex.compile(
    r"\W*(?:(?:all|none|any|both|neither|either|some|two|three|more than one|at least one"
    r"|one or more) of (?:the |these |those )?"
    rf"(?:above|these|those|them|others?|(?:other )?{_OPTIONS})\b.{{0,40}}"
    rf"|(?:all|none|both|neither)(?: the)? (?:above|{_OPTIONS})\b.{{0,40}}"
    r"|(?:all|none|both|neither)(?: (?:is|are) (?:correct|true|right|wrong|false))?"
    r"|(?:alles?|keine[rs]?|nichts|beides?|weder noch)(?: (?:der|die|von|davon|oben|oberen|obigen"
    r"|diesen?|dieser|(?:oben|zuvor|vor)?(?:stehenden?|genannten?)|antworten|optionen)){1,5}\b.{0,25}"
    r"|(?:tou(?:te)?s|tout|aucune?)(?: (?:les|de|des|ces?|ceux|celles|qui|réponses?|options?"
    r"|propositions?|choix)){1,4}(?:[ -](?:ci|dessus|préc[éè]d\p{L}+|correct\p{L}+|sont|est)){0,4}"
    r"|(?:tod[ao]s|ningun[ao]|tutt[ei]|nessun[ao]|nenhuma?)(?: (?:de|delle|dei|das|dos|las|los|le|i"
    r"|as|os)){1,2} (?:respuestas|opciones|alternativas|risposte|opzioni|respostas|opções"
    r"|anteriores|precedenti|mencionad[ao]s)(?: \p{L}{1,11}){0,3}"
    r"|(?:al(?:le)?|geen)(?: (?:van|de|het|deze))*"
    r" (?:bovenstaande|bovengenoemde|antwoorden|opties)\b.{0,25}"
    r"|(?:wszystkie|żadn[aey])(?: (?:z|odpowiedzi|powyższ\p{L}+|opcj\p{L}+|są|poprawn\p{L}+)){1,4}"
    r"|(?:все|всё|ничего|ни один|ни одно)(?: из)?"
    r" (?:(?:выше)?(?:перечисл|указ|назв)\p{L}+|вариант\p{L}*|ответ\p{L}*)\b.{0,25}"
    r"|(?:以上|上述|上記|위의|모두|해당).{0,14}|(?:都|皆|全部|全)不?(?:是|对|對|正[确確]|非|错)"
    r"|(?:いずれ|どれ)(?:も|で).{0,8}|(?:すべて|全て)(?:正しい|当てはまる)?"
    r"|(?:उपर|इनमें).{0,30})\W*",
    regex.IGNORECASE,
)
# Options that name others by their places.
_PLACE = (
    r"(?:(?:fir|la|1)st|second|2nd|third|3rd|fourth|4th|fifth|5th|previous|preceding|latter|former)"
)
_NUMBER = r"(?:two|three|four|options?|choices?|answers?|statements?|ones?)"
_BY_PLACE = regex.compile(
    r"\W*(?=.*\b(?:both|all|none|neither|either|any|only|and|or|but|except|two|three|four|options?"
    rf"|choices?|answers?)\b)(?:(?:both|all|none|neither|either|any|only|and|or|nor|but|except|not"
    rf"|of|the|{_PLACE}|{_NUMBER})\W+)*(?:{_PLACE}(?:\W+{_NUMBER})*)(?:\W+(?:and|or|nor)(?:\W+the)?"
    rf"\W+{_PLACE}(?:\W+{_NUMBER})*)*(?: (?:is|are) (?:correct|true|right))?\W*"
    r"|\W*(?:the )?(?:two|three) above\W*",
    regex.IGNORECASE,
)


def _packed(words: str) -> list[int]:
    return [int.from_bytes(word.ljust(3).encode(), "big") for word in words.split()]


# The first three letters of what the two match, and those behind "the".
_FIRST_WORDS = _packed(
    "all non any bot nei eit som two thr mor at one kei nic bei wed tou auc tod nin tut nes nen al "
    "gee wsz the onl fir las sec thi pre opt not"
)
_PLACES = _packed("fir sec thi fou fif las pre lat for 1st 2nd 3rd 4th 5th two thr")
(_THE,) = _packed("the")
# Of the first code points, those of words, and those of labels that are longer than a letter.
_WORD, _IN_NUMBERS = np.zeros((2, 256), np.bool_)
_WORD[[*map(ord, ascii_letters + digits + "_")]] = True
_IN_NUMBERS[[*map(ord, "ivxIVX" + digits)]] = True
_LONGEST_LABEL = max(len(name) for names in NUMBERINGS.values() for name in names)

S = TypeVar("S", bound=Sites)


class Questions(NamedTuple):
    """The questions of a batch, in order, and all their options, as columns.

    Attributes:
        whole: the code points of the batch as a string.
        texts: shape (n,); the text of each question.
        sizes: shape (n,); how many options it has.
        firsts: shape (n,); the number of the first of them.
        names: as of `Options`.
        labelled: the options of a question if they have labels; None if they are lines.
        question: shape (options,); the question of each option.
        contents: every option, without its label.
    """

    whole: str
    texts: Int64
    sizes: Int64
    firsts: Int64
    names: Sequence[tuple[str, ...]]
    labelled: Sequence[Options | None]
    question: Int64
    contents: Strings

    def options(self) -> list[Options]:
        """Return the options of each question."""
        spans = list(zip(self.contents.starts.tolist(), self.contents.ends.tolist(), strict=True))
        columns = (self.texts.tolist(), self.firsts.tolist(), self.names, self.labelled)
        return [
            options or Options(text, names, (), tuple(spans[first : first + len(names)]))
            for text, first, names, options in zip(*columns, strict=True)
        ]

    def text(self, option: int) -> str:
        """Return an option."""
        return self.whole[self.contents.starts[option] : self.contents.ends[option]]

    def label(self, option: int) -> Span:
        """Return the label of an option that has one, without its brackets."""
        options = self.labelled[question := self.question[option]]
        assert options is not None  # others have no labels
        return named(options)[option - self.firsts[question]]

    def having(self, places: Int64) -> Bool:
        """Mark the options with some of these places, which are in order."""
        return places.searchsorted(self.contents.ends) > places.searchsorted(self.contents.starts)

    def refusing(self, batch: Batch, sites: S, refused: Sequence[bool]) -> S:
        """Return sites that refuse the texts of some questions, but for texts with a site."""
        texts = np.zeros(len(batch.texts), np.bool_)
        texts[self.texts[np.array(refused, np.bool_)]] = True
        texts[batch.text_of(sites.starts)] = False
        sites.why_refused = "options refused"
        return sites.limited(refused=texts if texts.any() else None)

    def references(self) -> list[str | None]:
        """Return for each question why its labels can't change: an option names others."""
        said: list[str | None] = [None] * len(self.sizes)
        for option in np.flatnonzero(self.having(_like_labels(self.contents.codes))).tolist():
            question = int(self.question[option])
            names, text = self.names[question], self.text(option)
            are_lines = self.labelled[question] is None
            if said[question] is None and mention(names, are_lines).search(text):
                name = names[option - self.firsts[question]]
                said[question] = f"option {name} names others: {text!r}"
        return said

    def movable(self, keep_last: int = 0) -> tuple[Bool, list[str | None]]:
        """Mark the options that may change places, and say why those of a question can't.

        Args:
            keep_last: how many at the end stay there, whatever they say.
        """
        codes, contents = self.contents.codes, self.contents
        anchored, by_place = np.zeros((2, len(contents)), np.bool_)
        for option in np.flatnonzero(_like_anchors(contents)).tolist():
            anchored[option] = is_anchor(text := self.text(option))
            by_place[option] = _BY_PLACE.fullmatch(text) is not None
        numbers: Int64 = np.arange(len(contents))
        # Those at the end stay last, such as `none of the above`.
        last = np.maximum.reduceat(np.where(anchored, -1, numbers), self.firsts)
        last = np.minimum(last, self.firsts + self.sizes - 1 - keep_last)
        moves = numbers <= last[self.question]
        counts = np.add.reduceat(moves, self.firsts, dtype=np.intp)
        # Else the answer alone would move.
        of_first = self.firsts[self.question]
        later = np.flatnonzero(moves & (numbers > of_first))
        alike = np.ones(len(contents), np.bool_)
        alike[later] = same(contents.take(later), contents.take(of_first[later]))
        alike = np.logical_and.reduceat(alike, self.firsts)
        odd = by_place | (moves & (anchored | (contents.lengths == 0)))
        if any(self.labelled):  # those that are lines have none in them
            lines = self.having(np.flatnonzero((codes == ord("\n")) | (codes == ord("\r"))))
            odd |= moves & lines
        said: list[str | None] = [None] * len(counts)
        for question, options in enumerate(self.labelled):
            if options is not None and GOES_ON.match(self.whole, options.contents[-1][1]):
                said[question] = f"option {options.names[-1]} seems to go on in the next line"
        for option in np.flatnonzero(odd)[::-1].tolist():
            question, text = int(self.question[option]), self.text(option)
            name = self.names[question][option - self.firsts[question]]
            why = "reaches over several lines" if text else "is empty"
            if anchored[option]:
                why = f"is not the last: {text!r}"
            if by_place[option]:
                why = f"names others by their places: {text!r}"
            said[question] = f"option {name} {why}"
        for question in np.flatnonzero(alike).tolist():
            said[question] = "all options are the same"
        for question in np.flatnonzero(counts < 2).tolist():
            said[question] = "fewer than two options can move"
        return moves, said


def find(batch: Batch, form: Form) -> Questions:
    """Return the options of all questions.

    If a text is a list of strings and some items have no label, the items are the options.
    """
    whole, lists = decode(batch.codes), np.zeros(len(batch.texts), np.bool_)
    if batch.lists is not None:
        lists = batch.lists
    labelled: list[Options] = []
    if form == "labelled":
        labelled += labelled_options(batch, whole, batch.edges.tolist())
    texts, sizes, starts, ends = _lines(batch, lists | (form == "lines"))
    items = dict(zip(texts.tolist(), sizes.tolist(), strict=True))
    own = {one.text for one in labelled if items.get(one.text) == len(one.names)}
    labelled = [one for one in labelled if one.text not in items or one.text in own]
    kept = ~np.isin(texts, [*own])
    of_kept = kept.repeat(sizes)
    texts, sizes, starts, ends = texts[kept], sizes[kept], starts[of_kept], ends[of_kept]
    spans = np.array([span for one in labelled for span in one.contents], np.intp).reshape(-1, 2)
    texts = np.append(texts, np.array([one.text for one in labelled], np.intp))
    sizes = np.append(sizes, np.array([len(one.names) for one in labelled], np.intp))
    starts, ends = np.append(starts, spans[:, 0]), np.append(ends, spans[:, 1])
    firsts = np.cumsum(sizes) - sizes
    order = np.argsort(starts[firsts])
    options = ranges(firsts[order], sizes[order])
    letters = [NUMBERINGS["upper"][:size] for size in range(len(ascii_uppercase) + 1)]
    unlabelled = len(texts) - len(labelled)
    known = [None if row < unlabelled else labelled[row - unlabelled] for row in order.tolist()]
    sizes = sizes[order]
    names = [
        letters[size] if one is None else one.names
        for size, one in zip(sizes.tolist(), known, strict=True)
    ]
    question = np.arange(len(sizes)).repeat(sizes)
    contents = Strings(batch.codes, starts[options], ends[options])
    firsts = np.cumsum(sizes) - sizes
    return Questions(whole, texts[order], sizes, firsts, names, known, question, contents)


def _lines(batch: Batch, wanted: Bool) -> tuple[Int64, Int64, Int64, Int64]:
    """Return the texts of several lines among those wanted, how many, and these, as spans."""
    ends, starts = line_ends(batch.codes, set_of("\n\r"))
    sizes = batch.count(ends) + 1
    wanted = wanted & (sizes > 1) & (sizes <= len(ascii_uppercase))
    texts, kept = np.flatnonzero(wanted), wanted[batch.text_of(ends)]
    starts = np.sort(np.append(batch.texts.starts[texts], starts[kept]), kind="stable")
    ends = np.sort(np.append(batch.texts.ends[texts], ends[kept]), kind="stable")
    return texts, sizes[texts], starts, ends


def _like_labels(codes: Codes) -> Int64:
    """Return where words start that may be labels, and few others."""
    narrow = np.minimum(codes, 0xFF).astype(np.uint8)
    starts, ends = runs(_WORD[narrow])
    sizes = ends - starts
    alike = (sizes == 1) | ((sizes <= _LONGEST_LABEL) & _IN_NUMBERS[narrow[starts]])
    starts, sizes = starts[alike], sizes[alike]
    for at in range(1, _LONGEST_LABEL):
        # Shorter words are asked for their last letter again.
        kept = (sizes == 1) | _IN_NUMBERS[narrow[starts + np.minimum(at, sizes - 1)]]
        starts, sizes = starts[kept], sizes[kept]
    places: Int64 = starts
    return places


def _like_anchors(contents: Strings) -> Bool:
    """Mark the strings that may begin like those of `_ANCHOR` or `_BY_PLACE`, and few others."""
    codes = np.append(contents.codes, np.zeros(8, contents.codes.dtype))
    are_words, first = (codes > 0x7F) | _WORD[np.minimum(codes, 0x7F)], contents.starts
    if len(behind := np.flatnonzero(~are_words[first])):  # a space or a bracket
        words, first = np.append(np.flatnonzero(are_words), len(codes) - 8), first.copy()
        first[behind] = words[words.searchsorted(first[behind])]
    known = np.isin(_letters_at(codes, first), _FIRST_WORDS)
    (after,) = (_letters_at(codes, first) == _THE).nonzero()
    known[after] = np.isin(_letters_at(codes, first[after] + len("the ")), _PLACES)
    other = (codes[first[:, None] + np.arange(3)] > 0x7F).any(axis=1)
    like: Bool = (first < contents.ends) & (known | other)
    return like


def _letters_at(codes: Codes, places: Int64) -> UInt32:
    """Return three small letters, as one number for each place."""
    letters = (codes[places[:, None] + np.arange(3)] | 0x20).astype(np.uint32)
    packed: UInt32 = letters @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    return packed


def is_anchor(text: str) -> bool:
    """Return whether an option at the end stays last, such as `none of the above`."""
    return _ANCHOR.fullmatch(text) is not None
