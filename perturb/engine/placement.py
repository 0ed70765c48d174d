"""Where within texts and words a step may act, and which words `p` counts.

One grammar for all steps: short words, stop words, and words at the ends of a text stay; only the
first, last or inner letters of a word are hit; punctuation is neither hit nor written. Letters and
words that are closed for such a reason aren't units, so `p` is a share of the others; a share of
words is one of all words.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch, letters, of_kind
from perturb.engine.places import are_among, covered, holding, marked_before, touching
from perturb.engine.selection import choose, lowest
from perturb.engine.sites import (
    FIRST_WRITE,
    Chosen,
    MaskSites,
    RankedSites,
    Sites,
    Substitution,
    Write,
)
from perturb.engine.text.characters import Alternatives, CharacterSet, Kind, scripts
from perturb.engine.text.scripts import unspaced
from perturb.engine.text.strings import Strings, every, with_rows
from perturb.resources import read_rows
from perturb.rng import hash32, mix64, uniform
from perturb.values.arrays import Bool, Int64, distinct

Per = Literal["unit", "word"]
Where = Literal["any", "first", "inner", "last"]
Of = Literal["any", "letters"]
Spare = Literal["none", "stopwords"]

# The characters that count as a word in scripts without word spaces. Words of Chinese have about
# two, and those of Japanese and Thai more; chosen by hand, since no segmenter comes with perturb.
_PER_WORD = 2
# The draw that rounds the number of edits within a word; lower lanes are for replacements.
_WITHIN = FIRST_WRITE + 32
# The draws for a place that would get punctuation. If half of a key's neighbours are punctuation,
# one place in 65,536 fails 16 times and loses its site; more draws would only cost time.
_DRAWS = 16
_LOW = np.uint64(0xFFFFFFFF)


class Placement(NamedTuple):
    """Where a step may act, and whether `p` is a share of its units or of the words.

    Attributes:
        per: "word" for one edit in each word that is hit; "unit" for the unit of the step.
        where: the letters of a word that may be hit: "first", "last", "inner" ones, or "any". An
            insertion counts for the letter that follows it.
        of: "letters" if only letters may be hit, and count.
        spare: "stopwords" if the function words of English stay.
        within: the share of letters to hit in each word that is hit, at least one; None for one
            edit. Only with `per` "word".
        signs: whether punctuation and symbols may be hit, and written.
        skip_first: how many words at the start of a text stay, with all before them.
        skip_last: how many words at its end stay, with all after them.
        min_word_length: words of fewer characters stay.
        segmenter: the library that gives the words of texts without spaces between them, with
            its version; "" for none.
    """

    per: Per = "unit"
    where: Where = "any"
    of: Of = "any"
    spare: Spare = "none"
    within: float | None = None
    signs: bool = True
    skip_first: int = 0
    skip_last: int = 0
    min_word_length: int = 0
    segmenter: str = ""


EVERYWHERE = Placement()


def skipped(batch: Batch, placement: Placement) -> Bool | None:
    """Mark the code points of words that stay and don't count; None if there is no such word.

    A share of words counts short words and stop words too: "typos in one word of ten, and not in
    stop words" are in one word of ten.
    """
    if placement.per == "word":
        placement = placement._replace(spare="none", min_word_length=0)
    return _left_alone(batch, placement)


def _left_alone(batch: Batch, placement: Placement) -> Bool | None:
    """Mark the code points of words that stay; None if there is no such word."""
    first, last, shorter = placement.skip_first, placement.skip_last, placement.min_word_length
    stop = placement.spare == "stopwords"
    if not (first or last or shorter or stop):
        return None
    words, texts = batch.words, batch.texts
    counts = batch.count(words.starts)
    ends = np.cumsum(counts)
    spans = []
    if shorter:
        short = np.flatnonzero(_characters(batch, words) < shorter)
        spans.append((words.starts[short], words.ends[short]))
    if stop:
        (rows,) = _are_stop_words(words).nonzero()
        spans.append((words.starts[rows], words.ends[rows]))
    (some,) = counts.nonzero()
    if first:
        until = ends[some] - counts[some] + np.minimum(first, counts[some]) - 1
        spans.append((texts.starts[some], words.ends[until]))
    if last:
        since = ends[some] - np.minimum(last, counts[some])
        spans.append((words.starts[since], texts.ends[some]))
    starts, stops = map(np.concatenate, zip(*spans, strict=True))
    return covered(starts, stops, len(batch.codes))


def _characters(batch: Batch, words: Strings) -> Int64:
    """Count the characters of each word; a part of a character counts as one."""
    if batch.boundaries is None:
        return words.lengths
    before = marked_before(batch.boundaries)
    counts = 1 + before[words.ends] - before[words.starts + 1]
    return counts.astype(np.intp)


def _are_stop_words(words: Strings) -> Bool:
    """Mark the function words of English in any case."""
    known = _stop_words()
    spelled = (word.lower().replace("’", "'") for word in words.to_list())
    return np.fromiter((word in known for word in spelled), np.bool_, len(words))


@cache
def _stop_words() -> frozenset[str]:
    """Return the function words of English, without number words, which carry content."""
    rows = read_rows("english", "stop_words.tsv")
    return frozenset(word for word, classes in rows if "number" not in classes.split())


def counted_words(batch: Batch, sites: Sites) -> Strings:
    """Return the words that `p` counts: in scripts without word spaces, two characters each.

    Steps on whole words count those: a run without spaces is one, or it would always be hit.
    """
    whole = sites.unit == "word" or bool(batch.segmented)
    return batch.words if whole else batch.once(_halved)


def _halved(batch: Batch) -> Strings:
    """Return the words, cut after every two characters in scripts without word spaces."""
    words = batch.words
    solid = None if batch.codes.dtype == np.uint8 else _solid().mask(batch.codes)
    if solid is None or not solid.any():
        return words
    inside = covered(words.starts, words.ends, len(batch.codes))
    if batch.boundaries is not None:
        inside &= batch.boundaries
        inside[words.starts] = True
    (clusters,) = inside.nonzero()
    in_solid = solid[clusters]
    run = np.append(True, in_solid[1:] != in_solid[:-1])
    run[clusters.searchsorted(words.starts)] = True
    (firsts,) = run.nonzero()
    place = np.arange(len(run)) - firsts.repeat(np.diff(firsts, append=len(run)))
    starts = clusters[run | (in_solid & (place % _PER_WORD == 0))]
    ends = words.ends[words.starts.searchsorted(starts, "right") - 1]
    return Strings(batch.codes, starts, np.minimum(ends, np.append(starts[1:], len(batch.codes))))


@cache
def _solid() -> CharacterSet:
    """Return the characters of scripts that put no space between words."""
    solid = unspaced(scripts())
    solid[[ord("ー"), ord("ｰ")]] = True  # lengthens a vowel of Japanese, and is of no script
    return CharacterSet(solid)


def placed(batch: Batch, sites: Sites, placement: Placement) -> tuple[Sites, Bool | None]:
    """Return the sites at which a step may act, given its limits on letters and words.

    Args:
        batch: the texts.
        sites: the sites that the perturbator found.
        placement: the limits.

    Returns:
        The sites, and a mask of the code points that aren't units therefore; None for no mask.
    """
    closed = _closed(batch, placement)
    if closed is not None:
        sites = _at(sites, ~closed)
        closed[0] = False
        closed[batch.texts.ends] = False
    if not placement.signs:
        sites = _without_signs(batch, sites)
    if placement.per == "word":
        spared = _left_alone(batch, placement._replace(skip_first=0, skip_last=0))
        if spared is not None:
            sites = sites.free(spared)
        return _in_words(batch, sites), None  # the words without such a letter count as well
    return sites, closed


def _at(sites: Sites, wanted: Bool) -> Sites:
    """Return the sites with only wanted code points; an insertion counts for the next one."""
    if isinstance(sites, MaskSites):
        return sites.masked(wanted)
    return sites.keep(~touching(~wanted, sites.starts, np.maximum(sites.ends, sites.starts + 1)))


def _closed(batch: Batch, placement: Placement) -> Bool | None:
    """Mark the code points outside the letters asked for; None if there is none."""
    closed = None if placement.of == "any" else ~letters().mask(batch.codes)
    if placement.where != "any":
        words = batch.words
        last = batch.clusters_at(batch.clusters_before(words.ends) - 1)
        # A mark at the start of a word may belong to the character before the word.
        first = np.minimum(batch.clusters_at(batch.clusters_before(words.starts + 1)), words.ends)
        starts, ends = {
            "first": (words.starts, first),
            "inner": (first, last),
            "last": (np.maximum(last, words.starts), words.ends),
        }[placement.where]
        outside = ~covered(starts, np.maximum(starts, ends), len(batch.codes))
        closed = outside if closed is None else closed | outside
    return closed


def _without_signs(batch: Batch, sites: Sites) -> Sites:
    """Return the sites that hold no punctuation, and write none: they draw again instead."""
    signs, write = _signs(), sites.write
    if isinstance(write, Substitution) and isinstance(sites, MaskSites):
        table = _plain(write.table)
        sites = sites.masked(table.characters.mask(batch.codes))
        sites.write = Substitution(table)
        return sites
    holds = marked_before(signs.mask(batch.codes))
    sites = sites.keep(holds[sites.ends] == holds[sites.starts])
    if write is None:
        return sites
    sites.write = write = _writing_none(write, signs)
    chosen = batch.chosen(Strings(batch.codes, sites.starts, sites.ends))
    chosen.sites = sites
    return sites.keep(~holding(write(chosen), signs))


def _signs() -> CharacterSet:
    """Return punctuation and symbols."""
    return of_kind(Kind.PUNCTUATION, Kind.SYMBOL, Kind.CONNECTOR)


@lru_cache(maxsize=16)
def _plain(table: Alternatives) -> Alternatives:
    """Return a table of alternatives without punctuation on either side."""
    return table.without(_signs())


def _writing_none(write: Write, unwanted: CharacterSet) -> Write:
    """Return a function that writes like another, but draws unwanted characters again."""

    def redrawn(chosen: Chosen) -> Strings:
        strings = write(chosen)
        for again in range(1, _DRAWS):
            (rows,) = holding(strings, unwanted).nonzero()
            if not len(rows):
                break
            some = chosen.take(rows)
            some.keys = mix64(some.keys, again)
            strings = with_rows(strings, rows, write(some))
        return strings

    return redrawn


def _in_words(batch: Batch, sites: Sites) -> Sites:
    """Return the sites that belong to a word.

    White space belongs to the word before it, and so does punctuation for steps that act on places
    other than characters: a mistyped comma isn't a mistyped word. Characters before the first word
    of a text belong to that word.
    """
    words = counted_words(batch, sites)
    has_words = batch.count(words.starts) > 0
    if not every(has_words):
        sites = sites.of_texts(has_words, batch.edges)
    if sites.unit != "character":
        return sites
    inside = covered(words.starts, words.ends, len(batch.codes))
    inside |= of_kind(Kind.SPACE, Kind.NEWLINE).mask(batch.codes)
    return _at(sites, inside) if isinstance(sites, MaskSites) else sites.keep(inside[sites.starts])


class WordSites(NamedTuple):
    """The sites of a batch by the words that they belong to.

    Attributes:
        first: for each word that has sites, the site with the lowest rank.
        all: all sites.
        ranks: shape (sites,); the rank of each.
        edges: shape (words with sites + 1,); the first row of each word's sites, and their number.
        words: the words with sites.
    """

    first: Sites
    all: Sites
    ranks: RankedSites
    edges: Int64
    words: Strings

    def hit_by(self, starts: Int64) -> Int64:
        """Return the start of the first site of each word that has one of the edits, in order."""
        words = self.edges.searchsorted(self.all.starts.searchsorted(starts), "right") - 1
        return self.ranks.starts[self.edges[distinct(words)]]


def by_words(batch: Batch, sites: Sites) -> WordSites:
    """Return sites by word; all of them must belong to words."""
    words = counted_words(batch, sites)
    since = words.starts.copy()
    counts = batch.count(since)
    (some,) = counts.nonzero()
    since[(np.cumsum(counts) - counts)[some]] = batch.edges[some]
    edges = np.append(sites.starts.searchsorted(since), len(sites.starts))
    (mine,) = (edges[1:] > edges[:-1]).nonzero()
    edges = np.append(edges[mine], len(sites.starts))
    ranks = sites.ranks(batch.keys, batch.edges)
    first = np.zeros(len(ranks), np.bool_)
    if len(mine):
        order = ranks.astype(np.uint64) << np.uint64(32)
        order |= np.arange(len(ranks), dtype=np.uint64)
        first[(np.minimum.reduceat(order, edges[:-1]) & _LOW).astype(np.intp)] = True
    if isinstance(sites, MaskSites):
        mask = np.zeros(len(batch.codes), np.bool_)
        mask[sites.starts[first]] = True
        firsts: Sites = sites.masked(mask)
    else:
        firsts = sites.keep(first)
    ranked = RankedSites(sites.starts, sites.ends, ranks)
    return WordSites(firsts, sites, ranked, edges, words.take(mine))


def spread_within(
    batch: Batch, words: WordSites, counts: Int64, wanted: Int64, within: float
) -> Sites:
    """Return the sites to hit within the words to hit, a share of their letters.

    Args:
        batch: the texts.
        words: the words with sites.
        counts: shape (texts,); the number of words with sites.
        wanted: shape (texts,); how many words to hit in each text.
        within: the share, above 0; at least one site in each word, and beyond that rounded at
            random.
    """
    hits, _, _ = choose(words.first, batch.keys, batch.edges, counts, wanted)
    (rows,) = are_among(words.first.starts, hits).nonzero()
    text = batch.text_of(hits)
    drawn = uniform(hash32(batch.keys[text], hits - batch.texts.starts[text], _WITHIN))
    size = within * _characters(batch, words.words.take(rows)) + drawn
    several = np.maximum(size.astype(np.intp), 1)
    hit = np.zeros(len(words.words), np.bool_)
    hit[rows] = True
    sites = words.ranks.keep(hit.repeat(np.diff(words.edges)))
    edges = np.append(words.ranks.starts[words.edges[:-1][rows]], len(batch.codes))
    chosen, _ = lowest(sites, edges, several, words.all.apart())
    return words.all.keep(are_among(words.all.starts, chosen.starts))
