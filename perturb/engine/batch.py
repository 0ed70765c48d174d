"""A batch of texts as perturbators see it: one array of code points, cut into units."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np

from perturb.engine.native import kernels
from perturb.engine.native.words import find_words
from perturb.engine.places import count, touching
from perturb.engine.sites import (
    FIRST_WRITE,
    Chosen,
    Kinds,
    MaskSites,
    Sites,
    Substitution,
    Write,
    drawn,
    sites_of_kinds,
)
from perturb.engine.text.characters import (
    Alternatives,
    Break,
    CharacterSet,
    Kind,
    Script,
    breaks,
    classes_of,
    scripts,
    set_of,
)
from perturb.engine.text.characters import of_kind as of_kind
from perturb.engine.text.graphemes import cluster_starts
from perturb.engine.text.sentences import lines, sentences
from perturb.engine.text.strings import Strings, ranges
from perturb.rng import uniform
from perturb.values.arrays import Bool, Codes, Float64, Int64, UInt8, UInt32, UInt64, distinct

T = TypeVar("T")

_VISIBLE = set(Kind) - {Kind.SPACE, Kind.NEWLINE, Kind.CONTROL, Kind.FORMAT}
# The delimiter between the columns of a table.
BAR = ord("|")

# Between two letters, or two digits, these do not end a word: don't, e-mail, e.g, 3.14, 1,000.
_LETTER_JOINERS, _DIGIT_JOINERS = "'’.-‐‑\u00ad\u200c\u200d", ".,:'’"
_BETWEEN_LETTERS = CharacterSet.of(_LETTER_JOINERS)
_BETWEEN_DIGITS = CharacterSet.of(_DIGIT_JOINERS)
_JOINERS = CharacterSet.of(_LETTER_JOINERS + _DIGIT_JOINERS)


def letters() -> CharacterSet:
    """Return the letters and the marks on them."""
    return of_kind(Kind.LETTER, Kind.MARK)


def visible() -> CharacterSet:
    """Return the characters that are neither white space nor control or format characters."""
    return of_kind(*_VISIBLE)


@lru_cache(maxsize=1)
def _joining() -> CharacterSet:
    """Return the characters that may join a neighbour in a grapheme cluster, but no pictographs."""
    return CharacterSet(breaks() >= Break.CR)


def _in_words() -> CharacterSet:
    """Return the characters that words are made of."""
    return of_kind(Kind.LETTER, Kind.MARK, Kind.DIGIT, Kind.NUMBER, Kind.CONNECTOR)


@lru_cache(maxsize=4)
def word_classes(count: int = 256, *more: CharacterSet) -> UInt8:
    """Return the bits of the rules of `Batch.words` that apply to each of some code points.

    Args:
        count: the number of code points; by default those of Latin-1.
        more: sets with the next bits.
    """
    digit = of_kind(Kind.DIGIT)
    rules = _in_words(), letters(), digit, _BETWEEN_LETTERS, _BETWEEN_DIGITS
    return classes_of(count, *rules, *more)


def places_beyond_ascii(letters: CharacterSet, codes: Codes) -> Int64:
    """Return where the characters of a set beyond ASCII are; few texts have many others."""
    (places,) = (codes > 0x7F).nonzero()
    return places[letters.mask(codes[places])]


@lru_cache(maxsize=2)  # the steps of a grid come to the same texts
def in_tables(texts: Strings) -> Int64:
    """Return the places of table markup: |, and lines of | and punctuation only."""
    codes = texts.codes
    if codes.dtype == np.uint8 and (places := kernels.in_tables(texts, _of_lines())) is not None:
        return places
    (bars,) = (codes == BAR).nonzero()
    marks = np.zeros(len(codes), np.bool_)
    marks[bars] = True
    # Only the texts that have some are looked at, since few do.
    rows = np.flatnonzero(bars.searchsorted(texts.ends) > bars.searchsorted(texts.starts))
    part = texts.apart(rows)
    of_part = lines(part)
    (bars,) = (part.codes == BAR).nonzero()
    ruled = of_part.take(distinct(of_part.starts.searchsorted(bars, "right") - 1))
    worded = of_kind(Kind.LETTER, Kind.DIGIT).mask(part.codes)
    drawn = ~touching(worded, ruled.starts, ruled.ends)
    places = ranges(ruled.starts[drawn], ruled.lengths[drawn])
    moved = (texts.starts[rows] - part.starts)[part.starts.searchsorted(places, "right") - 1]
    marks[places + moved] = True
    return np.flatnonzero(marks)


@lru_cache(maxsize=1)
def _of_lines() -> UInt8:
    """Return the bits of each character of Latin-1: whether it ends a line, and is of a word."""
    return classes_of(256, of_kind(Kind.NEWLINE), of_kind(Kind.LETTER, Kind.DIGIT))


def _boundaries(codes: Codes) -> Bool | None:
    """Mark the starts of grapheme clusters; None where each code point is a cluster of its own."""
    if codes.dtype == np.uint8:
        if b"\r" not in codes.tobytes():
            return None
        return np.append(True, (codes[1:] != ord("\n")) | (codes[:-1] != ord("\r")))
    if not _joining().mask(codes).any():
        return None
    return cluster_starts(breaks().take(codes.astype(np.intp)))


class Batch:
    """Texts in one array, with the key of each.

    Args:
        texts: the texts, a separator on both sides of each.
        keys: shape (texts,); what the draws of each text depend on.
        replicate: the number of this version, from 0, for perturbators that go through their
            possibilities in turn. The keys of draws include it already.
        lists: shape (texts,); the texts whose lines are the items of a list. None for no text.
        beside: shape (texts,); what steps may know of the row of each text: of a list the items
            that right answers name, in the words of the text; of another text the JSON at each
            path that a step names. None if there is nothing.

    Attributes:
        codes: the code points of all texts.
        edges: shape (texts + 1,); where the texts start, and the end of all.
        boundaries: shape (code points,); where grapheme clusters start. None where every code
            point is a cluster of its own.
        segmented: the scripts without word spaces in which words come from a segmenter.
    """

    segmented: frozenset[Script] = frozenset()

    def __init__(
        self,
        texts: Strings,
        keys: UInt64,
        replicate: int = 0,
        lists: Bool | None = None,
        beside: Any = None,
    ) -> None:
        self.texts = texts
        self.codes = texts.codes
        self.keys = keys
        self.replicate = replicate
        self.lists = lists
        self.beside = beside
        self.edges = np.empty(len(texts.starts) + 1, np.intp)
        self.edges[:-1] = texts.starts
        self.edges[-1] = len(texts.codes)
        self.boundaries = _boundaries(texts.codes)
        self._made: dict[Any, Any] = {}

    @classmethod
    def of(cls, texts: Sequence[str]) -> Batch:
        """Make a batch of `texts` with the key 0 for each; to try a perturbator by hand."""
        return cls(Strings.of_texts(texts), np.zeros(len(texts), np.uint64))

    def with_words(self, words: Strings, segmented: frozenset[Script]) -> Batch:
        """Return this batch with segments as its words in some scripts."""
        batch = Batch(self.texts, self.keys, self.replicate, self.lists, self.beside)
        batch.words, batch.segmented = words, segmented
        return batch

    def once(self, make: Callable[..., T], *arguments: Hashable) -> T:
        """Return the result of a function on this batch; it is called only the first time."""
        key = make, arguments
        if key not in self._made:
            self._made[key] = make(self, *arguments)
        value: T = self._made[key]
        return value

    @cached_property
    def scripts(self) -> UInt8:
        """The `Script` of each code point."""
        if self.codes.dtype == np.uint8:
            codes = self.codes.tobytes().translate(scripts()[:256].tobytes())
            return np.frombuffer(codes, np.uint8)
        return scripts().take(self.codes.astype(np.intp))

    @cached_property
    def characters(self) -> Strings:
        """The characters (extended grapheme clusters) of all texts."""
        inside = np.ones(len(self.codes), np.bool_)
        inside[0] = False
        inside[self.texts.ends] = False
        if self.boundaries is None:
            starts = np.flatnonzero(inside)
            return Strings(self.codes, starts, starts + 1)
        edges = np.flatnonzero(self.boundaries)
        mine = inside[edges]
        return Strings(self.codes, edges[mine], np.append(edges[1:], len(self.codes))[mine])

    def clusters_before(self, places: Int64) -> Int64:
        """Return how many clusters begin before each place, counting separators."""
        return places if self._cluster_edges is None else self._cluster_edges.searchsorted(places)

    def clusters_at(self, numbers: Int64) -> Int64:
        """Return where the clusters with these numbers, counted as in `clusters_before`, begin."""
        return numbers if self._cluster_edges is None else self._cluster_edges[numbers]

    def past_cluster(self, places: Int64) -> Int64:
        """Return the end of the cluster that begins at each place."""
        return self.clusters_at(self.clusters_before(places) + 1)

    @cached_property
    def _cluster_edges(self) -> Int64 | None:
        return None if self.boundaries is None else np.flatnonzero(self.boundaries)

    @cached_property
    def words(self) -> Strings:
        """The words of all texts: runs of letters, marks, digits and connectors.

        An apostrophe, hyphen or full stop between two letters belongs to the word, and so does a
        point, comma or colon between two digits. In scripts written without spaces a whole run is
        one word.
        """
        codes = self.codes
        native = find_words(codes, word_classes())
        if native is not None:
            return Strings(codes, *native)
        inside = _in_words().mask(codes).copy()
        at = np.flatnonzero(_JOINERS.mask(codes))
        before, here, after = codes[at - 1], codes[at], codes[at + 1]
        rules = (_BETWEEN_LETTERS, letters()), (_BETWEEN_DIGITS, of_kind(Kind.DIGIT))
        for joiners, joined in rules:
            inside[at] |= joiners.mask(here) & joined.mask(before) & joined.mask(after)
        edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
        return Strings(codes, edges[::2], edges[1::2])

    @cached_property
    def sentences(self) -> Strings:
        """The sentences of all texts, without the white space around them."""
        return sentences(self.texts)

    @cached_property
    def lines(self) -> Strings:
        """The lines of all texts, without their line ends; no line begins after a final one."""
        return lines(self.texts)

    def chosen(self, spans: Strings, counts: Int64 | None = None) -> Chosen:
        """Return spans of the texts, in order, with the keys and places that draws depend on.

        Args:
            spans: the spans.
            counts: shape (texts,); the number of spans in each text, if known.
        """
        counts = self.count(spans.starts) if counts is None else counts
        origins = spans.starts - self.texts.starts.repeat(counts)
        return Chosen(spans, self.keys.repeat(counts), origins)

    def sites_where(
        self,
        characters: CharacterSet | str,
        write: Write | None = None,
        *,
        unit: str = "character",
        inserts: bool = False,
    ) -> Sites:
        """Return a site at every character that is in the set.

        A letter followed by a combining mark is a different character from the bare letter.

        Args:
            characters: the set; clusters of several code points never belong to it.
            write: gives the replacements; None deletes.
            unit: "character" if `p` is a share of all characters, "place" if of these alone.
            inserts: whether to insert before each of these characters instead.
        """
        if isinstance(characters, str):
            characters = set_of(characters)
        return MaskSites(self.marked(characters), unit, write, inserts=inserts)

    def substitutions(self, table: Alternatives, *, unit: str = "character") -> Sites:
        """Return a site at every character that has alternatives, to write one of them.

        Args:
            table: the alternatives.
            unit: see `sites_where`.
        """
        return self.sites_where(table.characters, Substitution(table), unit=unit)

    def marked(self, characters: CharacterSet) -> Bool:
        """Mark the code points that are characters of their own and in the set; a new array."""
        mask = characters.mask(self.codes).copy()
        if self.boundaries is not None:
            mask &= self._alone
        return mask

    @property
    def _alone(self) -> Bool:
        """The code points that are clusters of their own."""
        assert self.boundaries is not None
        alone = self.boundaries.copy()
        alone[:-1] &= self.boundaries[1:]
        return alone

    def sites_at_clusters(
        self, characters: CharacterSet, write: Write | None = None, *, inserts: bool = False
    ) -> Sites:
        """Return a site at every character whose first code point is in the set.

        Unlike `sites_where` this includes letters with combining marks.
        """
        if self.boundaries is None:
            return self.sites_where(characters, write, inserts=inserts)
        clusters = self.characters
        rows = np.flatnonzero(characters.mask(self.codes[clusters.starts]))
        starts = clusters.starts[rows]
        return Sites(starts, starts if inserts else clusters.ends[rows], "character", write)

    def outside_numbers(self, sites: Sites) -> Sites:
        """Return the sites that neither hold a part of a number nor insert beside one."""
        inside = self.in_numbers()
        return sites if inside is None else sites.free(inside)

    def outside_tables(self, sites: Sites) -> Sites:
        """Return the sites outside table markup: |, and lines of | and punctuation only."""
        places = in_tables(self.texts)
        if not len(places):
            return sites
        marks = np.zeros(len(self.codes), np.bool_)
        marks[places] = True
        return sites.free(marks)

    def of_kinds(self, sites: Sites, kinds: Kinds) -> Sites:
        """Return the sites, but in texts of other kinds than the first those of their kind."""
        number = kinds.choose(self.texts)
        return sites_of_kinds(self, sites, kinds, number) if number.any() else sites

    def part(self, rows: Int64) -> Batch:
        """Return a batch of the texts at `rows`, which have the draws that they have here."""
        return Batch(self.texts.apart(rows), self.keys[rows], self.replicate)

    def in_numbers(self) -> Bool | None:
        """Mark digits, and every single character between two, as in 9:30; None for none."""
        codes = self.codes
        if codes.dtype == np.uint8:
            mask: Bool = codes - np.uint8(ord("0")) < 10
        else:
            mask = of_kind(Kind.DIGIT).mask(codes).copy()
        if not mask.any():
            return None
        between = mask[:-2] & mask[2:]
        between &= codes[1:-1] != 0
        mask[1:-1] |= between
        return mask

    def draw(self, starts: Int64, lane: int = 0) -> UInt32:
        """Return a draw for each of the increasing places, as `Chosen.draw` gives it there."""
        return drawn(self.keys, self.edges, starts, FIRST_WRITE + lane)

    def uniform(self, starts: Int64, lane: int = 0) -> Float64:
        """Return `draw` for each of the increasing places, as a number in [0, 1)."""
        return uniform(self.draw(starts, lane))

    def count(self, starts: Int64) -> Int64:
        """Count the increasing places `starts` that lie in each text."""
        return count(starts, self.edges)

    def text_of(self, places: Int64) -> Int64:
        """Return the number of the text in which each place lies."""
        return self.texts.starts.searchsorted(places, "right") - 1

    def spans_of(self, unit: str) -> Strings:
        """Return the units of all texts: characters, words, sentences, lines, or the texts."""
        spans: Strings = getattr(self, f"{unit}s")
        return spans

    def units(self, unit: str) -> Int64:
        """Return the number of units of each text."""
        if unit == "text":
            return np.ones(len(self.texts), np.intp)
        if unit == "character" and self.boundaries is None:
            return self.texts.lengths
        return self.count(self.spans_of(unit).starts)
