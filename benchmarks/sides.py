"""One side of a benchmark: a library in a process of its own, which times what it is told to.

Run as `python sides.py SIDE DATA FIELD`, it runs in the side's own environment, so nothing but
the side, the standard library and `common.py`, which needs no more, may be imported. Requests and
answers are lines of JSON on standard input and output.

A side gives its versions, what can be timed by name, and what can be made: functions of texts and
a seed, for what is judged rather than timed.
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
from itertools import accumulate, pairwise
from pathlib import Path

from common import rewritten, rows_of, timed

P = 0.05
NLPAUG_WORDS = 0.25
WORDS_P = 0.2
READ_P = 0.1
NO_CAPS = {"aug_char_max": None, "aug_word_max": None}
# Settings of nlpaug that are nearest to the share P of all characters.
NEAREST = {"aug_char_p": 0.001, "aug_word_p": NLPAUG_WORDS, **NO_CAPS}
TYPOS = ("keyboard_typos", "typo_mix", "char_delete", "ocr")


def perturb(data, field):
    """Typos on a list; its records hold the edits as arrays until they are asked."""
    import numpy

    import perturb

    def with_edits(texts):
        return [record.edits for record in perturb.apply(texts, "keyboard_typos", p=P)]

    lists = {f"apply(list) {name}": on_list(name) for name in TYPOS}
    times = {
        **lists,
        "apply(list), all edits read": with_edits,
        "apply(str) keyboard_typos": lambda text: perturb.apply(text, "keyboard_typos", p=P).text,
        "perturb apply": lambda: command_line(data, field),
        "perturb apply --lean": lambda: command_line(data, field, "--lean"),
    }
    return {"perturb": perturb.__version__, "numpy": numpy.__version__}, times, lists


def revision(data, field):
    """Each perturbator on a list, and a file: for two checkouts side by side."""
    import perturb

    lists = {name: on_list(name) for name in perturb.names()}
    return {}, {**lists, "perturb apply": lambda: command_line(data, field)}, {}


def on_list(step, p=P, **more):
    import perturb

    return lambda texts, seed=0: [
        str(record) for record in perturb.apply(texts, step, p=p, seed=seed, **more)
    ]


def command_line(data, field, *options):
    from perturb.cli import main

    steps = ["apply", "keyboard_typos", "-p", str(P), "--field", field]
    with tempfile.TemporaryDirectory() as folder:
        status = main([*steps, "-i", str(data), "-o", f"{folder}/out.jsonl", *options])
    if status:
        raise SystemExit(status)


def nlpaug(*_):
    """Keyboard typos without caps: as it is asked for P, and nearest to the share P.

    It rounds the number of characters up in every word that it changes. With a tiny share that is
    one a word, and a quarter of the words is then about P of the characters.
    """
    from nlpaug.augmenter.char import KeyboardAug

    asked = KeyboardAug(aug_char_p=P, aug_word_p=1.0, **NO_CAPS)
    nearest = KeyboardAug(**NEAREST)
    lists = {
        "KeyboardAug(list)": nearest.augment,
        "KeyboardAug(list), asked for .05": asked.augment,
    }
    times = {**lists, "KeyboardAug(str)": lambda text: nearest.augment(text)[0]}
    return versions("nlpaug"), times, seeded(lists)


def glitchlings(*_):
    """Typos at neighbouring keys, and some of other kinds, by a library in Rust."""
    from glitchlings import Gaggle, Typogre

    typos = Typogre(rate=P, seed=0)
    times = {
        "Typogre(list)": Gaggle([typos], seed=0).corrupt_batch,
        "Typogre(str)": typos.corrupt,
    }
    return versions("glitchlings"), times, {"Typogre(list)": corrupted(Typogre, P)}


def corrupted(kind, rate):
    from glitchlings import Gaggle

    def made(texts, seed):
        return Gaggle([kind(rate=rate, seed=seed)], seed=seed).corrupt_batch(texts)

    return made


def textnoisr(*_):
    """Characters inserted, swapped, substituted and deleted; it has no call for a list."""
    from textnoisr.noise import CharNoiseAugmenter

    def made(texts, seed):
        return [*map(CharNoiseAugmenter(noise_level=P, seed=seed).add_noise, texts)]

    noise = CharNoiseAugmenter(noise_level=P, seed=0)
    times = {
        "CharNoiseAugmenter, each of a list": lambda texts: [*map(noise.add_noise, texts)],
        "CharNoiseAugmenter(str)": noise.add_noise,
    }
    return versions("textnoisr"), times, {"CharNoiseAugmenter, each of a list": made}


def augly(*_):
    """Keyboard typos, asked for P of the characters of every word; it stands on an old nlpaug."""
    from augly.text.transforms import SimulateTypos

    no_caps = {"aug_char_max": 10**6, "aug_word_max": 10**6}
    typos = SimulateTypos(aug_char_p=P, aug_word_p=1.0, typo_type="keyboard", **no_caps)
    lists = {"SimulateTypos(list)": typos}
    return versions("augly"), {**lists, "SimulateTypos(str)": typos}, seeded(lists)


def langtest(*_):
    """One typo a text, and letters taken for others; neither can be asked for a share."""
    from langtest.transform.robustness import AddOcrTypo, AddTypo

    lists = {"AddTypo(list)": AddTypo.transform, "AddOcrTypo(list)": AddOcrTypo.transform}
    times = {**lists, "AddTypo(str)": lambda text: AddTypo.transform([text])}
    return versions("langtest"), times, seeded(lists)


def versions(*packages):
    return {package: version(package) for package in packages}


def seeded(operations):
    """The same operations for libraries that draw from Python's own generator."""

    def with_seed(operation, texts, seed):
        random.seed(seed)
        return operation(texts)

    return {name: partial(with_seed, operation) for name, operation in operations.items()}


def perturb_words(*_):
    """Words for other words; for the edits, all that can be replaced is."""
    import perturb

    def edits(step, texts, seed):
        records = perturb.apply(texts, step, p=1.0, seed=seed)
        return [(record.text, [edit[:3] for edit in record.edits]) for record in records]

    def on_text(step, text):
        return perturb.apply(text, step, p=WORDS_P).text

    steps = ("synonym", "synonym:profile=all", "misspelling", "misspelling:rules=false")
    lists = {f"apply(list) {step}": on_list(step, WORDS_P) for step in steps}
    times = {**lists, **{f"apply(str) {step}": partial(on_text, step) for step in steps[::2]}}
    made = {**lists, **{f"edits {step}": partial(edits, step) for step in steps[:2]}}
    return {"perturb": perturb.__version__}, times, made


def nlpaug_words(data, field):
    """SynonymAug and SpellingAug without caps, and without nltk's tagger: its model is not at hand.

    For the edits the tags of a careful reader are given instead; when it is timed, every word is a
    noun. Both favour nlpaug: a tagger errs, and costs time.
    """
    import nltk
    from nlpaug.augmenter.word import SpellingAug, SynonymAug
    from nlpaug.util import Doc

    spelling = SpellingAug(aug_p=WORDS_P, aug_max=None)
    synonym = SynonymAug(aug_p=WORDS_P, aug_max=None)
    all_synonyms = SynonymAug(aug_p=1.0, aug_max=None)
    starts_tagged = tagger(data, field, synonym.tokenizer)

    def nouns(texts):
        nltk.pos_tag = lambda tokens: [(token, "NN") for token in tokens]
        return synonym.augment(texts)

    def told(text):
        starts = starts_tagged(text)
        changes = []
        plain = Doc.add_change_log

        def noted(doc, index, new_token, *rest, **named):
            old = doc.get_token(index).orig_token.token
            changes.append((starts[index], starts[index] + len(old), new_token))
            return plain(doc, index, new_token, *rest, **named)

        Doc.add_change_log = noted
        try:
            return all_synonyms.substitute(text), sorted(changes)
        finally:
            Doc.add_change_log = plain

    lists = {"SynonymAug(list)": nouns, "SpellingAug(list)": spelling.augment}
    times = {**lists, "SynonymAug(str)": nouns, "SpellingAug(str)": spelling.augment}
    edits = {"edits SynonymAug": lambda texts: [told(text) for text in texts]}
    return versions("nlpaug", "nltk"), times, seeded(lists | edits)


def tagger(data, field, tokenizer):
    """A function that has nltk give the tags of a careful reader, and returns where tokens are."""
    import nltk

    tags = {row[field]: row.get("tags", {}) for row in rows_of(data)}

    def starts_tagged(text):
        starts, end = [], 0
        for token in tokenizer(text):
            starts.append(text.index(token, end))
            end = starts[-1] + len(token)
        text_tags = [tags[text].get(str(start), "DT") for start in starts]
        nltk.pos_tag = lambda tokens: [*zip(tokens, text_tags, strict=True)]
        return starts

    return starts_tagged


def perturb_read(*_):
    """What is read beside the peers: each kind of noise at the strength that they are given."""
    import perturb

    steps = {
        "typos: human_typos": P,
        "typos: keyboard_typos": P,
        "ocr: ocr": P,
        # Of the words that can be replaced, for about a tenth of all words, as the peers.
        "synonyms: synonym": 1.0,
        "misspellings: misspelling": 0.5,
        "homophones: homophone": 1.0,
    }

    def made(step, p, texts, seed):
        return on_list(step, p, id=[*range(len(texts))])(texts, seed)

    makers = {name: partial(made, name.partition(": ")[2], p) for name, p in steps.items()}
    return {"perturb": perturb.__version__}, {}, makers


def nlpaug_read(data, field):
    """The tags that SynonymAug asks of nltk's tagger are those of a careful reader."""
    from nlpaug.augmenter.char import KeyboardAug, OcrAug
    from nlpaug.augmenter.word import SpellingAug, SynonymAug

    synonym = SynonymAug(aug_p=READ_P, aug_max=None)
    starts_tagged = tagger(data, field, synonym.tokenizer)

    def with_synonyms(text):
        starts_tagged(text)
        return synonym.augment(text)[0]

    made = {
        "typos: nlpaug KeyboardAug": KeyboardAug(**NEAREST).augment,
        "ocr: nlpaug OcrAug": OcrAug(**NEAREST).augment,
        "synonyms: nlpaug SynonymAug": lambda texts: [*map(with_synonyms, texts)],
        "misspellings: nlpaug SpellingAug": SpellingAug(aug_p=READ_P, aug_max=None).augment,
    }
    return versions("nlpaug"), {}, seeded(made)


def glitchlings_read(*_):
    from glitchlings import Jargoyle, Scannequin, Typogre, Wherewolf

    made = {
        "typos: glitchlings Typogre": corrupted(Typogre, P),
        "ocr: glitchlings Scannequin": corrupted(Scannequin, 4 * P),  # with P it changes nothing
        "synonyms: glitchlings Jargoyle": corrupted(Jargoyle, READ_P),
        "homophones: glitchlings Wherewolf": corrupted(Wherewolf, READ_P),
    }
    return versions("glitchlings"), {}, made


def read_of(side, **kinds):
    """The side of which what is read are some of the lists that it makes."""

    def read(*_):
        about, _, lists = side()
        makers = {
            f"{kind}: {side.__name__} {name.partition('(')[0].partition(',')[0]}": lists[name]
            for kind, name in kinds.items()
        }
        return about, {}, makers

    return read


textnoisr_read = read_of(textnoisr, typos="CharNoiseAugmenter, each of a list")
augly_read = read_of(augly, typos="SimulateTypos(list)")
langtest_read = read_of(langtest, typos="AddTypo(list)", ocr="AddOcrTypo(list)")


def floor(data, _):
    """What the machine allows."""
    import orjson

    def parse_and_write():
        with Path(data).open("rb") as rows, tempfile.TemporaryFile() as out:
            out.writelines(rewritten(rows))

    def copy():
        bytearray(memory)

    def encode_and_decode(texts):
        whole = "".join(texts).encode("latin-1", "replace").decode("latin-1")
        ends = accumulate(map(len, texts), initial=0)
        return [whole[start:end] for start, end in pairwise(ends)]

    memory = Path(data).read_bytes()
    times = {
        "copy of the file in memory": copy,
        "join, encode, decode, cut (list)": encode_and_decode,
        "orjson loads, dumps, write": parse_and_write,
    }
    return {"orjson": orjson.__version__}, times, {}


def measured(operation, kind, texts, calls):
    """Seconds by the clock and of the processor: the medians of a call for each text, or means."""
    if kind == "each":
        times, middle = [timed(operation, text) for text in texts], statistics.median
    else:
        arguments = (texts,) if kind == "list" else ()
        times, middle = [timed(operation, *arguments) for _ in range(calls)], statistics.fmean
    return list(map(middle, zip(*times, strict=True)))


def cut(texts, length):
    """The texts, one after another, cut into pieces of a length."""
    whole = " ".join(texts)
    return [whole[start : start + length] for start in range(0, len(whole) - length + 1, length)]


def serve(side, data, field):
    answers, sys.stdout = sys.stdout, io.StringIO()  # what a library prints is no answer

    def answer(value):
        print(json.dumps(value), file=answers, flush=True)

    texts = [row[field] for row in rows_of(data)]
    about, operations, makers = globals()[side](data, field)
    answer([about, list(operations), list(makers)])
    gc.freeze()  # what was imported is not searched for garbage in somebody's turn
    pieces = {None: texts}
    for name, request in map(json.loads, sys.stdin):
        if "seed" in request:
            answer(makers[name](request["texts"], request["seed"]))
            continue
        length = request["length"]
        if length not in pieces:
            pieces[length] = cut(texts, length)
        first = pieces[length][: request["first"]]
        answer(measured(operations[name], request["kind"], first, request["calls"]))


if __name__ == "__main__":
    serve(*sys.argv[1:])
