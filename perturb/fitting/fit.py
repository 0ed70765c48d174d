"""`perturb.fit`: noise from pairs, and a report on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from perturb.api import apply
from perturb.engine.batch import Batch
from perturb.engine.text.characters import Script
from perturb.engine.text.scripts import of_texts
from perturb.errors import DataError, UsageError, shown, unknown
from perturb.fitting.counts import FEWEST_TEXTS, TABLES, counted, counted_words
from perturb.fitting.pairs import Distance, align, align_words, distance
from perturb.io.outputs import writing
from perturb.lexicon.english import is_foreign
from perturb.perturbators.machines.fitted import sites_of
from perturb.perturbators.shared.noise import WORD_TABLES, Noise
from perturb.pipeline.specs import make_step
from perturb.registry.registry import resolve
from perturb.rng import key64

# The share of edits that the pairs should show as they are. Above it each doubling of the pairs
# adds little, since the rest is a long tail of edits seen once; chosen by hand on 23 November 2026.
_ENOUGH = 0.8
_MOST_DOUBLINGS = 6
# Each half is then 10 texts; of fewer, no figure says anything.
_FEWEST_PAIRS = 20
Like = Literal["auto", "none", "tesseract", "ppocr", "ppocr_v4", "typing", "asr", "whisper"]


class Fit(NamedTuple):
    """Noise that was fitted to pairs.

    Attributes:
        noise: the content of the file of noise.
        made: the distance of the noise fitted on one half of the pairs from the other half, on its
            texts.
        real: the distance of the two halves from each other; no noise can come closer.
        left_out: the numbers, from 0, of the pairs that perturb could not align: one text is empty,
            or more than half of it differs, or with `words` every word.
        needed: the estimated number of pairs that would show four fifths of all edits.
        least: the number of texts that show what the noise has of the pairs.
    """

    noise: Mapping[str, Any]
    made: Distance
    real: Distance
    left_out: Sequence[int]
    needed: int
    least: int

    def save(self, path: str | Path) -> None:
        """Write the file of noise that `fitted:file=PATH` takes."""
        with writing(str(path)) as (out, _):
            out.write(orjson.dumps(dict(self.noise)) + b"\n")

    def __str__(self) -> str:
        """Return a report on the noise, in sentences."""
        noise = self.noise
        why = f"in fewer than {self.least} texts, or too long" if self.least > 1 else "too long"
        beside = "besides" if noise.get("unit") == "word" else "with"
        lines = [
            f"{noise['pairs']} pairs: {noise['rate']:.2%} of the characters are edited; the rates "
            f"of texts have a spread of {noise['spread']:g}, those of stretches in a text of "
            f"{noise['bursts']:g}.",
            f"{len(noise['edits'])} kinds of edits, {len(noise['words'])} of whole words"
            + (f", {beside} those of the table {noise['like']}." if noise["like"] else ".")
            + (f" {1 - noise['shown']:.1%} of the edits of the pairs are left out: they are {why}.")
            * (noise["shown"] < 1)
            + (f" About {self.needed} pairs would show {_ENOUGH:.0%}." if self.needed else ""),
            f"The table {noise['like']}, which ships, makes {noise['share']:.0%} of the edits."
            if noise["like"]
            else "No table that ships adds to them.",
        ]
        if self.left_out:
            some = ", ".join(str(number + 1) for number in self.left_out[:5])
            lines.append(
                f"{len(self.left_out)} pair{'s' * (len(self.left_out) > 1)} could not be aligned, "
                f"such as number {some}: a text is empty or null, or more than half of it differs, "
                "or every word."
            )
        for name, far in (("made from one half", self.made), ("real in both halves", self.real)):
            auc = "unknown from so few edits" if math.isnan(far.auc) else f"{far.auc:.2f}"
            lines.append(
                f"{name}: kinds {far.kinds:.2f}, edits {far.edits:.2f} (total variation), AUC {auc}"
            )
        return "\n".join(lines)


def fit(
    clean: Sequence[str],
    noisy: Sequence[str],
    *,
    least: int = FEWEST_TEXTS,
    like: Like = "auto",
    words: bool = False,
) -> Fit:
    """Count the errors of pairs of texts, for the step `fitted`.

    Errors that the pairs are too few for come from a table that ships, of the same kind of noise.
    The fit is measured on held-out pairs: noise fitted on one half is applied to the texts of the
    other.

    Args:
        clean: the texts as they should be, at least 20.
        noisy: the same texts with errors, in the same order.
        least: how many texts must show an error; others are left out, since pairs may be private. 1
            keeps all, for texts that may be shown to anyone who gets the noise.
        like: the table that ships; "auto" takes the one nearest to the pairs, or none if these are
            in another script, and "none" takes none. Of characters there are "tesseract", "ppocr"
            and "ppocr_v4", of scans, and "typing"; with `words` "asr" and "whisper", of speech.
        words: whether errors are counted as whole words that are replaced, added and lost, without
            case and punctuation, as in speech or in "their" for "there".

    Returns:
        The noise and a report on it; `save` writes its file.

    Raises:
        TypeError: a text is not a string.
        UsageError: the lists differ in length, or are too short; or `least` or `like` is wrong.
        DataError: the pairs have too few errors that can be counted, or another script or language
            than the table.

    Examples:
        >>> clean = [f"the sea is wide, said number {n}" for n in range(40)]
        >>> noise = fit(clean, [text.replace("the sea", "teh sea") for text in clean])
        >>> noise.noise["edits"]
        [['t', 'he', '', 'eh', 1.0]]
    """
    clean, noisy = list(clean), list(noisy)
    for text in (*clean, *noisy):
        if not isinstance(text, str):
            raise TypeError(f"clean and noisy must be lists of strings; got {shown(text)}")
    if len(clean) != len(noisy):
        raise UsageError(f"each clean text needs a noisy one; got {len(clean)} and {len(noisy)}")
    if len(clean) < _FEWEST_PAIRS:
        raise UsageError(f"a fit needs at least {_FEWEST_PAIRS} pairs; got {len(clean)}")
    if least < 1:
        raise UsageError(f"least must be at least 1, the number of texts; got {least}")
    aligned, count = (align_words, counted_words) if words else (align, counted)
    pairs = aligned(clean, noisy)
    if not pairs.clean:
        raise DataError(
            "none of the pairs could be aligned: in each a text is empty, or more than half of it "
            "differs, or every word; check that clean is the text that noisy was made from, in its "
            "language and script"
        )
    noise = count(pairs, least, _tables(pairs.clean, like, WORD_TABLES if words else TABLES))
    if not pairs.changes or not (noise["edits"] or noise["words"] or noise["like"]):
        raise DataError(
            f"no error occurs in {least} of the {len(pairs.clean)} aligned pairs: "
            "give more pairs or a lower least, or check that clean is the text that noisy was made "
            "from"
        )
    order = sorted(range(len(pairs.clean)), key=lambda row: key64("half", pairs.clean[row], row))
    half = len(order) // 2
    first, second = pairs.part(sorted(order[:half])), pairs.part(sorted(order[half:]))
    of_half = count(first, least, [noise["like"]] if noise["like"] else ())
    made = aligned(second.clean, _made(of_half, second.clean))
    from_made, from_real = distance(second, made), distance(second, first)
    return Fit(noise, from_made, from_real, pairs.left_out, _needed(noise, of_half), least)


def _tables(clean: Sequence[str], like: str, known: Sequence[str]) -> Sequence[str]:
    """Return the tables that may make the errors that pairs are too few for.

    Raises:
        UsageError: there is no table of that name.
        DataError: the texts are in another script than the table, or in another language.
    """
    if like not in ("auto", "none", *known):
        kind = "words" if known == WORD_TABLES else "characters"
        raise unknown(f"table of {kind}", like, ("auto", "none", *known))
    batch = Batch.of(clean)
    fits = of_texts(batch) == Script.LATIN
    if known == WORD_TABLES:
        fits &= ~is_foreign(batch)
    if like != "none" and 2 * fits.sum() >= len(clean):
        return known if like == "auto" else (like,)
    if like not in ("auto", "none"):
        raise DataError(
            f"the table {like} is of {'English' if known == WORD_TABLES else 'Latin script'}, and "
            f"{(~fits).sum()} of the {len(clean)} pairs are not: like=none counts the pairs alone"
        )
    return ()


def _made(noise: Mapping[str, Any], clean: Sequence[str]) -> list[str]:
    """Apply noise to texts."""
    if not (noise["edits"] or noise["words"] or noise["like"]):
        return [*clean]
    table = Noise(dict(noise))
    again, _ = resolve("fitted")
    fitted = again.replaced(find=lambda batch: sites_of(batch, table), parameters={}, types={})
    step = make_step(fitted, p=noise["rate"], spread=noise["spread"])
    return [str(record) for record in apply(list(clean), step, seed=1)]


def _needed(noise: Mapping[str, Any], of_half: Mapping[str, Any]) -> int:
    """Estimate the number of pairs that would show enough; 0 if these do or it is unknown."""
    gain = noise["shown"] - of_half["shown"]
    lack = _ENOUGH - noise["shown"]
    # A gain of a few percent from twice the pairs says nothing of many doublings.
    if lack <= 0 or gain <= lack / _MOST_DOUBLINGS:
        return 0
    return int(float(f"{noise['pairs'] * 2 ** (lack / gain):.2g}"))
