"""One side of a benchmark: a library in a process of its own, which does what it is told to.

Run as `python sides.py SIDE DATA FIELD`, it runs in the side's own environment, so nothing but
the side, the standard library and `common.py`, which needs no more, may be imported. Requests and
answers are lines of JSON on standard input and output.

A side is a function that gives its versions and its operations by name. Those with "(str)" in
their name take one text, those of files nothing. All others take texts and a seed. Names with a
colon are of what is read rather than timed: the kind of noise, and who makes it.
"""

import gc
import io
import json
import random
import statistics
import sys
import tempfile
from functools import partial
from importlib.metadata import version

from common import rows_of, timed

P = 0.05
NLPAUG_WORDS = 0.25
WORDS_P = 0.2
READ_P = 0.1
NO_CAPS = {"aug_char_max": None, "aug_word_max": None}
# Settings of nlpaug that are nearest to the share P of all characters.
NEAREST = {"aug_char_p": 0.001, "aug_word_p": NLPAUG_WORDS, **NO_CAPS}
TYPOS = "keyboard_typos", "typo_mix", "char_delete", "ocr"
WORDS = "synonym", "synonym:profile=all", "misspelling", "misspelling:rules=false"
READ = {
    "typos: human_typos": P,
    "typos: keyboard_typos": P,
    "ocr: ocr": P,
    # Of the words that can be replaced, for about a tenth of all words, as the peers.
    "synonyms: synonym": 1.0,
    "misspellings: misspelling": 0.5,
    "homophones: homophone": 1.0,
}


def perturb(*_):
    """Typos on a list; its records hold the edits as arrays until they are asked."""
    import numpy

    import perturb

    def with_edits(texts, _):
        return [record.edits for record in perturb.apply(texts, "keyboard_typos", p=P)]

    operations = {
        **{f"apply(list) {name}": partial(on_list, name, P) for name in TYPOS},
        "apply(list), all edits read": with_edits,
        "apply(str) keyboard_typos": partial(on_text, "keyboard_typos", P),
    }
    return {"perturb": perturb.__version__, "numpy": numpy.__version__}, operations


def revision(data, field):
    """Each perturbator on a list, and a file: for two checkouts side by side."""
    import perturb

    lists = {name: partial(on_list, name, P) for name in perturb.names()}
    return {}, {**lists, "perturb apply": partial(command_line, data, field)}


def on_list(step, p, texts, seed, **more):
    import perturb

    return [str(record) for record in perturb.apply(texts, step, p=p, seed=seed, **more)]


def on_text(step, p, text):
    import perturb

    return perturb.apply(text, step, p=p).text


def command_line(data, field):
    from perturb.cli import main

    steps = ["apply", "keyboard_typos", "-p", str(P), "--field", field]
    with tempfile.TemporaryDirectory() as folder:
        if status := main([*steps, "-i", str(data), "-o", f"{folder}/out.jsonl"]):
            raise SystemExit(status)


def perturb_words(*_):
    """Words for other words."""
    import perturb

    lists = {f"apply(list) {step}": partial(on_list, step, WORDS_P) for step in WORDS}
    texts = {f"apply(str) {step}": partial(on_text, step, WORDS_P) for step in WORDS[::2]}
    return {"perturb": perturb.__version__}, lists | texts


def perturb_read(*_):
    """What is read beside the peers: each kind of noise at the strength that they are given."""
    import perturb

    def made(step, p, texts, seed):
        return on_list(step, p, texts, seed, id=[*range(len(texts))])

    operations = {name: partial(made, name.partition(": ")[2], p) for name, p in READ.items()}
    return {"perturb": perturb.__version__}, operations


def nlpaug(*_):
    """Keyboard typos without caps: as it is asked for P, and nearest to the share P.

    It rounds the number of characters up in every word that it changes. With a tiny share that is
    one a word, and a quarter of the words is then about P of the characters.
    """
    from nlpaug.augmenter.char import KeyboardAug, OcrAug

    asked = KeyboardAug(aug_char_p=P, aug_word_p=1.0, **NO_CAPS)
    nearest = KeyboardAug(**NEAREST)
    operations = {
        "KeyboardAug(list)": unseeded(nearest.augment),
        "KeyboardAug(list), asked for .05": unseeded(asked.augment),
        "KeyboardAug(str)": lambda text: nearest.augment(text)[0],
        "typos: nlpaug KeyboardAug": unseeded(nearest.augment),
        "ocr: nlpaug OcrAug": unseeded(OcrAug(**NEAREST).augment),
    }
    return versions("nlpaug"), operations


def nlpaug_words(data, field):
    """SynonymAug and SpellingAug without caps, and without nltk's tagger: its model is not at hand.

    Where they are timed, every word is a noun; where they are read, the tags are those of a careful
    reader. Both favour nlpaug: a tagger errs, and costs time.
    """
    import nltk
    from nlpaug.augmenter.word import SpellingAug, SynonymAug

    spelling = SpellingAug(aug_p=WORDS_P, aug_max=None)
    synonym = SynonymAug(aug_p=WORDS_P, aug_max=None)
    read = SynonymAug(aug_p=READ_P, aug_max=None)
    tags = {row[field]: row.get("tags", {}) for row in rows_of(data)}

    def nouns(texts):
        nltk.pos_tag = lambda tokens: [(token, "NN") for token in tokens]
        return synonym.augment(texts)

    def tagged(text):
        starts, end = [], 0
        for token in read.tokenizer(text):
            starts.append(text.index(token, end))
            end = starts[-1] + len(token)
        text_tags = [tags[text].get(str(start), "DT") for start in starts]
        nltk.pos_tag = lambda tokens: [*zip(tokens, text_tags, strict=True)]
        return read.augment(text)[0]

    spelled = SpellingAug(aug_p=READ_P, aug_max=None)
    operations = {
        "SynonymAug(list)": unseeded(nouns),
        "SpellingAug(list)": unseeded(spelling.augment),
        "SynonymAug(str)": nouns,
        "SpellingAug(str)": spelling.augment,
        "synonyms: nlpaug SynonymAug": unseeded(lambda texts: [*map(tagged, texts)]),
        "misspellings: nlpaug SpellingAug": unseeded(spelled.augment),
    }
    return versions("nlpaug", "nltk"), operations


def glitchlings(*_):
    """Typos at neighbouring keys, and some of other kinds, by a library in Rust."""
    from glitchlings import Gaggle, Jargoyle, Scannequin, Typogre, Wherewolf

    def corrupted(kind, rate, texts, seed):
        return Gaggle([kind(rate=rate, seed=seed)], seed=seed).corrupt_batch(texts)

    operations = {
        "Typogre(list)": partial(corrupted, Typogre, P),
        "Typogre(str)": Typogre(rate=P, seed=0).corrupt,
        "typos: glitchlings Typogre": partial(corrupted, Typogre, P),
        "ocr: glitchlings Scannequin": partial(corrupted, Scannequin, 4 * P),  # none with P
        "synonyms: glitchlings Jargoyle": partial(corrupted, Jargoyle, READ_P),
        "homophones: glitchlings Wherewolf": partial(corrupted, Wherewolf, READ_P),
    }
    return versions("glitchlings"), operations


def textnoisr(*_):
    """Characters inserted, swapped, substituted and deleted; it has no call for a list."""
    from textnoisr.noise import CharNoiseAugmenter

    def each(texts, seed):
        return [*map(CharNoiseAugmenter(noise_level=P, seed=seed).add_noise, texts)]

    operations = {
        "CharNoiseAugmenter, each of a list": each,
        "CharNoiseAugmenter(str)": CharNoiseAugmenter(noise_level=P, seed=0).add_noise,
        "typos: textnoisr CharNoiseAugmenter": each,
    }
    return versions("textnoisr"), operations


def augly(*_):
    """Keyboard typos, asked for P of the characters of every word; it stands on an old nlpaug."""
    from augly.text.transforms import SimulateTypos

    no_caps = {"aug_char_max": 10**6, "aug_word_max": 10**6}
    typos = SimulateTypos(aug_char_p=P, aug_word_p=1.0, typo_type="keyboard", **no_caps)
    operations = {
        "SimulateTypos(list)": unseeded(typos),
        "SimulateTypos(str)": typos,
        "typos: augly SimulateTypos": unseeded(typos),
    }
    return versions("augly"), operations


def langtest(*_):
    """One typo a text, and letters taken for others; neither can be asked for a share."""
    from langtest.transform.robustness import AddOcrTypo, AddTypo

    operations = {
        "AddTypo(list)": unseeded(AddTypo.transform),
        "AddOcrTypo(list)": unseeded(AddOcrTypo.transform),
        "AddTypo(str)": lambda text: AddTypo.transform([text]),
        "typos: langtest AddTypo": unseeded(AddTypo.transform),
        "ocr: langtest AddOcrTypo": unseeded(AddOcrTypo.transform),
    }
    return versions("langtest"), operations


def versions(*packages):
    return {package: version(package) for package in packages}


def unseeded(operation):
    """An operation of a library that draws from Python's own generator, which has the seed."""
    return lambda texts, _: operation(texts)


def measured(operation, kind, texts, calls):
    """Seconds by the clock and of the processor: the medians of a call for each text, or means."""
    if kind == "each":
        times, middle = [timed(operation, text) for text in texts], statistics.median
    else:
        arguments = (texts, 0) if kind == "list" else ()
        times, middle = [timed(operation, *arguments) for _ in range(calls)], statistics.fmean
    return list(map(middle, zip(*times, strict=True)))


def serve(side, data, field):
    answers, sys.stdout = sys.stdout, io.StringIO()  # what a library prints is no answer

    def answer(value):
        print(json.dumps(value), file=answers, flush=True)

    texts = [row[field] for row in rows_of(data)]
    about, operations = globals()[side](data, field)
    answer([about, list(operations)])
    gc.freeze()  # what was imported is not searched for garbage in somebody's turn
    pieces, whole = {None: texts}, " ".join(texts)
    for name, request in map(json.loads, sys.stdin):
        if "seed" in request:
            random.seed(request["seed"])
            answer(operations[name](request["texts"], request["seed"]))
            continue
        length = request["length"]
        if length not in pieces:
            starts = range(0, len(whole) - length + 1, length)
            pieces[length] = [whole[start : start + length] for start in starts]
        first = pieces[length][: request["first"]]
        answer(measured(operations[name], request["kind"], first, request["calls"]))


if __name__ == "__main__":
    serve(*sys.argv[1:])
