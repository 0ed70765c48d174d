"""Places with replacements that are known before any of them is chosen: words and patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import Kind, of_kind, set_of
from perturb.engine.text.strings import (
    Later,
    Strings,
    column,
    concatenate,
    decode,
    repeated,
    runs,
    stack,
)
from perturb.lexicon.phrases import Found, Phrases
from perturb.lexicon.store import forms_of, spellings, surfaces_of
from perturb.perturbators.shared.english import in_prose
from perturb.perturbators.shared.names import has_capital
from perturb.values.arrays import Bool, Int32, Int64

Match = re.Match[str]
# From a match to its possible replacements; none if it isn't a site.
Ways = Callable[[Match], Sequence[str]]


class Written(NamedTuple):
    """Places and their replacements; every row is one."""

    starts: Int64
    ends: Int64
    texts: Strings

    def keep(self, mask: Bool) -> Written:
        """Return the places where `mask` is true."""
        (rows,) = mask.nonzero()
        return Written(self.starts[rows], self.ends[rows], self.texts.take(rows))

    def sites(self, unit: str = "place") -> Sites:
        """Return a site at each place."""
        return Sites(self.starts, self.ends, unit, self.write)

    def write(self, chosen: Chosen) -> Strings:
        """Return the replacements of chosen sites, which are rows of these."""
        texts = self.texts.take(chosen.rows)
        return Strings(texts.codes, texts.starts, texts.ends)


def together(batch: Batch, places: Written) -> GroupedSites:
    """Return one site for each text with places in prose; all places are its parts."""
    prose = in_prose(batch, places.sites())
    counts = batch.count(prose.starts)
    texts = places.texts.take(places.starts.searchsorted(prose.starts))
    write = Written(prose.starts, prose.ends, texts).write
    return GroupedSites(prose.starts, prose.ends, counts[counts > 0], "place", write)


def alike(batch: Batch, sites: Sites) -> Sites:
    """Return the sites in prose, with those of equal text in one text as one site."""
    sites = in_prose(batch, sites)
    text = decode(batch.codes)
    owners, starts = batch.text_of(sites.starts).tolist(), sites.starts.tolist()
    spans = zip(owners, starts, sites.ends.tolist(), strict=True)
    known: dict[tuple[int, str], int] = {}
    group = [known.setdefault((own, text[start:end]), start) for own, start, end in spans]
    if len(known) == len(group):
        return sites
    heads = np.array(group, np.intp)
    order = heads.argsort(kind="stable")
    sizes = np.unique(heads, return_counts=True)[1]

    def written(chosen: Chosen) -> Strings:
        places = chosen.texts.starts
        moved = heads[sites.starts.searchsorted(places)] - places
        same = Chosen(chosen.texts, chosen.keys, chosen.origins + moved, sites)
        assert sites.write is not None  # these sites replace
        return sites.write(same)

    return GroupedSites(sites.starts[order], sites.ends[order], sizes, sites.unit, written)


def joined(rules: Sequence[Written]) -> Written:
    """Return the places of rules without common places, one rule after the other."""
    starts = np.concatenate([rule.starts for rule in rules])
    ends = np.concatenate([rule.ends for rule in rules])
    texts = Later(partial(_stacked, [rule.texts for rule in rules]), len(starts))
    return Written(starts, ends, texts)


def in_order(rules: Sequence[Written]) -> Written:
    """Return the places of all rules, in order and apart; if two meet, the first stays."""
    starts, ends, texts = joined(rules)
    lengths = ends - starts
    # One number for start and length sorts in half the time; sorted input is faster still.
    order = (starts * (1 + lengths.max(initial=0)) + lengths).argsort(kind="stable")
    starts, ends = starts.take(order), ends.take(order)
    reached = np.maximum.accumulate(np.append(-1, ends))[:-1]
    return Written(starts, ends, texts.take(order)).keep(starts > reached)


def side_by_side(rules: Sequence[Written]) -> Written:
    """Return the places of all rules, in order; they may touch, and of two that overlap the first.

    Unlike `in_order` it puts a long place before a short one at the same start, by its rule.
    """
    starts, ends, texts = joined(rules)
    order = starts.argsort(kind="stable")
    starts, ends = starts[order], ends[order]
    apart = starts >= np.append(0, np.maximum.accumulate(ends))[:-1]
    return Written(starts, ends, texts.take(order)).keep(apart)


def _stacked(columns: Sequence[Strings], rows: Int64) -> Strings:
    """Return some rows of concatenated columns."""
    edges = np.cumsum([0, *map(len, columns)])
    order = rows.argsort(kind="stable")
    ordered = rows[order]
    cuts = ordered.searchsorted(edges).tolist()
    parts = [
        strings.take(ordered[low:high] - edge)
        for strings, edge, low, high in zip(columns, edges[:-1], cuts[:-1], cuts[1:], strict=True)
        if low < high
    ]
    return stack(repeated("", 0), *parts).take(order.argsort(kind="stable"))


def rephrased(batch: Batch, table: Phrases, found: Found, lane: int | None = None) -> Written:
    """Return the replacements of phrases by their table.

    Args:
        batch: the texts.
        table: the phrases.
        found: their places.
        lane: the lane of the random numbers that choose; None for the first replacement.
    """
    spans = Strings(batch.codes, found.starts, found.ends)

    def texts(rows: Int64) -> Strings:
        none = np.zeros(len(rows), np.uint32)
        draws = none if lane is None else batch.draw(found.starts[rows], lane)
        return table.write(found.rows[rows], spans.take(rows), draws)

    return Written(found.starts, found.ends, Later(texts, len(spans)))


def inserted(places: Int64, text: str) -> Written:
    """Return insertions of a text at some places."""
    return Written(places, places, repeated(text, len(places)))


def deleted(batch: Batch, rows: Int64) -> Written:
    """Return deletions of the words at `rows`, each with the space after it."""
    words = batch.words
    return Written(words.starts[rows], words.ends[rows] + 1, repeated("", len(rows)))


def led(leads: Strings, surfaces: Int32) -> Strings:
    """Return words of the lexicon, each after its lead."""
    return Later(lambda n: concatenate(leads.take(n), spellings(surfaces[n])), len(surfaces))


def inflected(batch: Batch, rows: Int64, part: int, form: int, lead: str = "") -> Written:
    """Return the words at `rows` in another form, each after its lead; no names.

    Without a lead, words that look the same in the other form are skipped.
    """
    (small,) = (~has_capital(batch, rows)).nonzero()
    rows = rows.take(small)
    surfaces = surfaces_of(batch, rows)
    forms = forms_of(surfaces, part, form)
    (fits,) = ((forms >= 0) & ((forms != surfaces) | (lead != ""))).nonzero()
    words, forms = batch.words.take(rows.take(fits)), forms.take(fits)
    texts = led(repeated(lead, len(words)), forms) if lead else spellings(forms)
    return Written(words.starts, words.ends, texts)


def rewrites(
    batch: Batch,
    pattern: re.Pattern[str],
    ways: Ways,
    heads: Int64 | None = None,
    *,
    consistent: bool = False,
) -> Sites:
    """Return a site at each match that can be written in another way.

    Args:
        batch: the texts.
        pattern: the pattern to find in all texts at once; it must not match the zero characters
            between them, nor an empty string.
        ways: gives the possible replacements, without the present text.
        heads: increasing; the only places where a match may begin, None for any.
        consistent: whether equal matches in a text are one site, and written in the same way.
    """
    text = decode(batch.codes)
    matches = pattern.finditer(text) if heads is None else _matches(pattern, text, heads)
    forms = ((match.span(), ways(match)) for match in matches)
    places = [(span, options) for span, options in forms if options]
    starts, ends = np.array([span for span, _ in places], np.intp).reshape(-1, 2).T
    if consistent:
        # What all of them may become, if there is such a way.
        common: dict[tuple[int, str], Sequence[str]] = {}
        owners = batch.text_of(starts).tolist()
        names = [(own, text[slice(*span)]) for own, (span, _) in zip(owners, places, strict=True)]
        for name, (_, options) in zip(names, places, strict=True):
            common[name] = [one for one in common.get(name, options) if one in options]
        pairs = zip(names, places, strict=True)
        places = [(span, common[name] or options) for name, (span, options) in pairs]

    def written(chosen: Chosen) -> Strings:
        options = (places[row][1] for row in chosen.rows.tolist())
        pairs = zip(options, chosen.draw().tolist(), strict=True)
        return column(texts[draw * len(texts) >> 32] for texts, draw in pairs)

    sites = Sites(starts, ends, "place", written)
    return alike(batch, sites) if consistent else sites


def _matches(pattern: re.Pattern[str], text: str, heads: Int64) -> Iterator[Match]:
    """Yield the matches of a pattern at some places, from left to right and apart."""
    end = 0
    for head in heads.tolist():
        if head >= end and (match := pattern.match(text, head)):
            end = match.end()
            yield match


def number_heads(batch: Batch) -> Int64:
    """Return the places where digits begin."""
    return runs(of_kind(Kind.DIGIT).mask(batch.codes))[0]


def word_heads(batch: Batch, leads: Iterable[str]) -> Int64:
    """Return the places where one of some strings of three characters begins."""
    codes = batch.codes
    (places,) = set_of("".join(sorted({lead[0] for lead in leads}))).mask(codes).nonzero()
    for step in (1, 2):
        seconds = set_of("".join(sorted({lead[step] for lead in leads})))
        places = places[seconds.mask(codes[places + step])]
    return places
