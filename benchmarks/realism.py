"""How far made errors are from real ones, and two halves of real ones from each other.

    python benchmarks/realism.py FILE [--step STEP ...] [--words] [--peers KIND] [--splits 10]
        [--pairs N] [--table NAME]

Each row of the file is a clean and a noisy text (`clean`, `noisy`; TSV, CSV, JSON lines, Parquet).
Each split has two halves: noise is fitted to one, each step is made at its share of characters and
its spread, on the clean texts of the other, and held against the errors there. Peers make theirs as
`sides.py` says: typos, ocr or homophones. Figures are means over the splits, each taken both ways.
On real halves AUC should be near 0.5; no step can be nearer than these. The AUC of texts is that of
whole texts: how often, where and in which ways each errs, how it begins and ends, and its commas.
"moved" are the real edits of the first half, each at a place of the other that has the same
characters on both sides if one has: what a step could reach that knew no more of a place. With
"each text its share" each text has as many of these as its length says, as a step edits it. With
`--words`, for speech, texts are aligned by words, without case and signs, and each step is made as
it is written. With `--pairs` noise is fitted to so many pairs of a half. The counts of
`human_typos` and of `asr` are taken of the first half too; and once of the half that they are held
against, which says what is due to chance in counts. `--table` writes the figures into the page on
realism, between the marks of that name.
"""

import argparse
import json
import random
import re
import sys
import tempfile
from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate
from pathlib import Path

import numpy as np
from common import FOLDER, started_on, table, write_into

import perturb
from perturb.fitting.counts import FEWEST_TEXTS, TABLES, counted, counted_words
from perturb.fitting.pairs import _auc, _kind, align, align_words, distance
from perturb.io.inputs import open_input
from perturb.perturbators.letters import slips
from perturb.perturbators.machines import _misheard
from perturb.perturbators.shared.noise import WORD_TABLES
from perturb.resources import read_json
from perturb.rng import key64

sys.path.append(str(FOLDER.parent / "wordlists/build"))
import spoken_noise
import typed_noise

PAGE = FOLDER.parent / "docs/reference/realism.md"
HEADS = "step", "kinds", "edits", "AUC", "AUC of texts"
STEPS = ("human_typos", "typo_mix", "keyboard_typos")
FEWEST = 200
# The places that an edit is moved to.
MOVED = 30
PEERS = ("nlpaug", "glitchlings")


def pairs_of(path):
    """Return the clean and the noisy texts of a file."""
    rows = [row for _, row in open_input(path, None).rows()]
    return [[row[field] for row in rows] for field in ("clean", "noisy")]


def halves(pairs, split):
    """Return two halves of pairs; equal clean texts are in the same one."""
    is_first = [key64("half", text, split) % 2 for text in pairs.clean]
    return [pairs.part([row for row, n in enumerate(is_first) if n == half]) for half in (0, 1)]


def moved(fitted, held, times):
    """Return the edits of the fitted texts, each so often, at places like its own in the held."""
    text, rng = "\n".join(["", *held.clean, ""]), random.Random(1)
    starts = [0, *accumulate(len(clean) + 1 for clean in held.clean)]
    changes = []
    for change in fitted.changes:
        padded, start = f"\n{fitted.clean[change.text]}\n", change.start + 1
        end = start + len(change.removed)
        for around in (1, 0):
            window = re.escape(padded[start - around : end + around])
            places = [match.start() + around for match in re.finditer(f"(?={window})", text)]
            for at in rng.choices(places, k=times) if places else []:
                row = min(bisect_right(starts, at - 1), len(held.clean)) - 1
                changes.append(change._replace(text=row, start=at - 1 - starts[row]))
            if places:
                break
    return changes


def shared(changes, held):
    """Return so many of the moved changes that each text has its share of them, by its length."""
    rng, of_text = random.Random(1), defaultdict(list)
    for change in changes:
        of_text[change.text].append(change)
    texts = rng.choices(held.clean, [len(text) for text in held.clean], k=len(changes) // MOVED)
    rows = {text: row for row, text in enumerate(held.clean)}
    return [rng.choice(of_text[row]) for text in texts if (row := rows[text]) in of_text]


def made_by(steps, texts, of, read):
    """Return what each step makes of texts, with the counts of its table taken of some pairs."""
    if read is align:
        of_slips = typed_noise.counted([of])
        slips.counts = lambda _: of_slips
        slips.Slips.cache_clear()
    else:
        of_words = spoken_noise.counted(list(zip(of.clean, of.noisy, strict=True)))
        tables = {"asr.json": of_words}
        _misheard.read_json = lambda *names: tables.get(names[1]) or read_json(*names)
        _misheard.misheard.cache_clear()
    return [[str(each) for each in perturb.apply(texts, step, seed=1)] for step in steps]


def with_strength(step, noise):
    """Return a step with the share and the spread of pairs, which `ocr` has with its errors."""
    spread = "" if step.startswith("ocr") else f",spread={noise['spread']}"
    return f"{step}{',' if ':' in step else ':'}p={noise['rate']}{spread}"


def fits(pairs, read):
    """Return the noise of each way to fit pairs."""
    count, tables = (counted, TABLES) if read is align else (counted_words, WORD_TABLES)
    noises = {f"`fitted`, `--least {n}`": count(pairs, n, tables) for n in (FEWEST_TEXTS, 1)}
    if read is align:
        return noises | {"`fitted`, `--like none`": counted(pairs)}
    of_letters = align(pairs.clean, pairs.noisy)
    return noises | {"`fitted` without `--words`": counted(of_letters, tables=TABLES)}


def distances(fitted, held, steps, peers, read, folder):
    """Return how far from the held pairs the fitted ones are, each step, and each peer."""
    of_files = []
    for number, noise in enumerate(fits(fitted, read).values()):
        Path(folder, str(number)).write_text(json.dumps(noise), "utf-8")
        of_files.append(with_strength(f"fitted:file={folder}/{number}", noise))
    full = [with_strength(step, counted(fitted)) if read is align else step for step in steps]
    made = made_by(with_counts(full), held.clean, held, read)
    # What a fit takes from the table of a recogniser ships, whatever pairs that was counted from.
    _misheard.read_json = read_json
    _misheard.misheard.cache_clear()
    made += [[str(each) for each in perturb.apply(held.clean, step, seed=1)] for step in of_files]
    made += made_by(full, held.clean, fitted, read)
    made += [[peer[text] for text in held.clean] for peer in peers.values()]
    places = moved(fitted, held, MOVED)
    both = places[::MOVED], shared(places, held)
    real = [held._replace(changes=sorted({*changes})) for changes in both]
    others = [fitted, *real, *(read(held.clean, each) for each in made)]
    return [distance_of(held, other) for other in others]


def outlines(pairs):
    """Return how each text errs, as a string: how often, where, in which ways, and its layout."""
    of_text = defaultdict(list)
    for change in pairs.changes:
        of_text[change.text].append(change)
    for text, (clean, noisy) in enumerate(zip(pairs.clean, pairs.noisy, strict=True)):
        some = of_text[text]
        ends = [0, *(change.start + len(change.removed) for change in some)]
        longest = max((max(len(c.removed), len(c.written)) for c in some), default=0)
        levels = len(some), 256 * len(some) // len(clean), longest, noisy.count(",")
        line = [f"{sign}{level.bit_length()}" for sign, level in zip("nrlc", levels, strict=True)]
        line += [f"e{noisy[-1:]}", f"u{noisy[:1].isupper()}"]
        for change, end in zip(some, ends, strict=False):
            line.append(f"k{_kind(change.removed, change.written)}")
            line.append(f"g{(change.start - end).bit_length() if end else 'first'}")
        # A string of characters, one for each word: the classifier sees up to five in a row.
        yield text, "".join(chr(0x100 + key64("word", word) % 0xC000) for word in line)


def distance_of(real, made):
    """Return `distance`, and how well a classifier tells whole texts from each other."""
    sides = [[*outlines(pairs)] for pairs in (real, made)]
    is_real = np.arange(sum(map(len, sides))) < len(sides[0])
    return *distance(real, made), _auc(sides[0] + sides[1], is_real)


def with_counts(steps):
    """Return the steps whose counts are taken of pairs."""
    return [step for step in steps if re.match("human_typos|asr(?!.*whisper)", step)]


def made_by_peers(texts, kind):
    """Return what each peer makes of the texts."""
    with started_on(PEERS, [{"text": text, "tags": {}} for text in texts]) as sides:
        return {
            name.partition(": ")[2]: side.make(name, texts, 1)
            for side in sides
            for name in side.operations
            if name.startswith(f"{kind}: ")
        }


def main():
    """Print a row for real halves, for noise fitted to one half, and for each step."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--step", nargs="+", default=STEPS)
    parser.add_argument("--words", action="store_true")
    parser.add_argument("--peers")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--table")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        read = align_words if args.words else align
        pairs = read(*pairs_of(args.file))
        if len(pairs.changes) < FEWEST:
            parser.error(f"halves need {FEWEST} edits; the pairs have {len(pairs.changes)}")
        made = made_by_peers(pairs.clean, args.peers) if args.peers else {}
        peers = {name: dict(zip(pairs.clean, texts, strict=True)) for name, texts in made.items()}
        rest = args.step, peers, read, folder
        rows = [
            distances(fitted.part(range(len(fitted.clean))[: args.pairs]), held, *rest)
            for split in range(args.splits)
            for both in [halves(pairs, split)]
            for fitted, held in (both, both[::-1])
        ]
    print(f"{len(pairs.clean)} pairs, {len(pairs.changes)} edits, {len(rows)} comparisons")
    means, spreads = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1)
    bounds = ["real halves", "moved", "moved, each text its share"]
    bounds += [f"`{step}`, counted from the same half" for step in with_counts(args.step)]
    names = [*bounds, *fits(pairs, read), *(f"`{step}`" for step in args.step), *peers]
    figures = [
        [name, *(f"{mean:.2f} ± {off:.2f}" for mean, off in zip(*both, strict=True))]
        for name, *both in zip(names, means, spreads, strict=True)
    ]
    nearest = sorted(figures[len(bounds) :], key=lambda row: row[-1])
    lines = table(HEADS, figures[: len(bounds)] + nearest)
    print(lines)
    if args.table:
        write_into(PAGE, args.table, lines)


if __name__ == "__main__":
    main()
