"""One side of a benchmark: a library in a process of its own, which times what it is told to.

Run as `python sides.py SIDE DATA FIELD`, it runs in the side's own environment, so nothing but
the side and the standard library may be imported. Requests and answers are lines of JSON on
standard input and output.

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
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time

P = 0.05
NLPAUG_WORDS = 0.25
WORDS_P = 0.2
READ_P = 0.1
TYPOS = ("keyboard_typos", "typo_mix", "char_delete", "ocr")


def perturb(data, field):
    """Typos on a list; its records hold the edits as arrays until they are asked."""
    import numpy

    import perturb

    def with_edits(texts):
        return [record.edits for record in perturb.apply(texts, "keyboard_typos", p=P)]

    versions = {"perturb": perturb.__version__, "numpy": numpy.__version__}
    lists = {f"apply(list) {name}": on_list(perturb, name) for name in TYPOS}
    timed = {
        **lists,
        "apply(list), all edits read": with_edits,
        "apply(str) keyboard_typos": lambda text: perturb.apply(text, "keyboard_typos", p=P).text,
        "perturb apply": lambda: command_line(data, field),
        "perturb apply --lean": lambda: command_line(data, field, "--lean"),
    }
    return versions, timed, lists


def revision(data, field):
    """Each perturbator on a list, and a file: for two checkouts side by side."""
    import perturb as ours

    lists = {name: on_list(ours, name) for name in ours.names()}
    return {}, {**lists, "perturb apply": lambda: command_line(data, field)}, {}


def on_list(library, name):
    return lambda texts, seed=0: [
        str(record) for record in library.apply(texts, name, p=P, seed=seed)
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

    no_caps = {"aug_char_max": None, "aug_word_max": None}
    asked = KeyboardAug(aug_char_p=P, aug_word_p=1.0, **no_caps)
    nearest = KeyboardAug(aug_char_p=0.001, aug_word_p=NLPAUG_WORDS, **no_caps)
    lists = {
        "KeyboardAug(list)": nearest.augment,
        "KeyboardAug(list), asked for .05": asked.augment,
    }
    timed = {**lists, "KeyboardAug(str)": lambda text: nearest.augment(text)[0]}
    return {"nlpaug": version("nlpaug")}, timed, seeded_by_random(lists)


def glitchlings(*_):
    """Typos at neighbouring keys, and some of other kinds, by a library in Rust."""
    from glitchlings import Gaggle, Typogre

    def made(texts, seed):
        return Gaggle([Typogre(rate=P, seed=seed)], seed=seed).corrupt_batch(texts)

    typos = Typogre(rate=P, seed=0)
    timed = {
        "Typogre(list)": Gaggle([typos], seed=0).corrupt_batch,
        "Typogre(str)": typos.corrupt,
    }
    return {"glitchlings": version("glitchlings")}, timed, {"Typogre(list)": made}


def textnoisr(*_):
    """Characters inserted, swapped, substituted and deleted; it has no call for a list."""
    from textnoisr.noise import CharNoiseAugmenter

    def made(texts, seed):
        noise = CharNoiseAugmenter(noise_level=P, seed=seed)
        return [noise.add_noise(text) for text in texts]

    noise = CharNoiseAugmenter(noise_level=P, seed=0)
    timed = {
        "CharNoiseAugmenter, each of a list": lambda texts: [*map(noise.add_noise, texts)],
        "CharNoiseAugmenter(str)": noise.add_noise,
    }
    versions = {"textnoisr": version("textnoisr")}
    return versions, timed, {"CharNoiseAugmenter, each of a list": made}


def augly(*_):
    """Keyboard typos, asked for P of the characters of every word; it stands on an old nlpaug."""
    from augly.text.transforms import SimulateTypos

    no_caps = {"aug_char_max": 10**6, "aug_word_max": 10**6}
    typos = SimulateTypos(aug_char_p=P, aug_word_p=1.0, typo_type="keyboard", **no_caps)
    timed = {"SimulateTypos(list)": typos, "SimulateTypos(str)": typos}
    versions = {"augly": version("augly")}
    return versions, timed, seeded_by_random({"SimulateTypos(list)": typos})


def langtest(*_):
    """One typo a text, and letters taken for others; neither can be asked for a share."""
    from langtest.transform.robustness import AddOcrTypo, AddTypo

    lists = {"AddTypo(list)": AddTypo.transform, "AddOcrTypo(list)": AddOcrTypo.transform}
    timed = {**lists, "AddTypo(str)": lambda text: AddTypo.transform([text])}
    return {"langtest": version("langtest")}, timed, seeded_by_random(lists)


def seeded_by_random(operations):
    """The same operations for libraries that draw from Python's own generator."""

    def seeded(operation):
        def made(texts, seed):
            random.seed(seed)
            return operation(texts)

        return made

    return {name: seeded(operation) for name, operation in operations.items()}


def perturb_words(*_):
    """Words for other words; for the edits, all that can be replaced is."""
    import perturb

    def on_list(step):
        return lambda texts, seed=0: [
            str(record) for record in perturb.apply(texts, step, p=WORDS_P, seed=seed)
        ]

    def edits(step):
        return lambda texts, seed: [
            (record.text, record.edits) for record in perturb.apply(texts, step, p=1.0, seed=seed)
        ]

    steps = ("synonym", "synonym:profile=all", "misspelling", "misspelling:rules=false")
    lists = {f"apply(list) {step}": on_list(step) for step in steps}
    timed = {
        **lists,
        **{
            f"apply(str) {step}": lambda text, step=step: perturb.apply(text, step, p=WORDS_P).text
            for step in steps[::2]
        },
    }
    made = {**lists, **{f"edits {step}": edits(step) for step in steps[:2]}}
    return {"perturb": perturb.__version__}, timed, made


def nlpaug_words(data, field):
    """SynonymAug and SpellingAug without caps, and without nltk's tagger: its model is not at hand.

    For the edits the tags of a careful reader are given instead; when it is timed, every word is a
    noun. Both favour nlpaug: a tagger errs, and costs time.
    """
    import nltk
    from nlpaug.augmenter.word import SpellingAug, SynonymAug
    from nlpaug.util import Doc

    with Path(data).open("rb") as rows:
        tags = {row[field]: row.get("tags", {}) for row in map(json.loads, rows)}
    spelling = SpellingAug(aug_p=WORDS_P, aug_max=None)
    synonym = SynonymAug(aug_p=WORDS_P, aug_max=None)
    all_synonyms = SynonymAug(aug_p=1.0, aug_max=None)

    def nouns(texts):
        nltk.pos_tag = lambda tokens: [(token, "NN") for token in tokens]
        return synonym.augment(texts)

    def told(text):
        starts = starts_of(text, synonym.tokenizer(text))
        nltk.pos_tag = lambda tokens: [
            (token, tags[text].get(str(start), "DT"))
            for token, start in zip(tokens, starts, strict=True)
        ]
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
    timed = {**lists, "SynonymAug(str)": nouns, "SpellingAug(str)": spelling.augment}
    edits = {"edits SynonymAug": lambda texts: [told(text) for text in texts]}
    versions = {"nlpaug": version("nlpaug"), "nltk": version("nltk")}
    return versions, timed, seeded_by_random(lists | edits)


def perturb_read(*_):
    """What is read beside the peers: each kind of noise at the strength that they are given."""
    import perturb

    def maker(step, p):
        return lambda texts, seed: [
            str(one) for one in perturb.apply(texts, step, p=p, seed=seed, id=[*range(len(texts))])
        ]

    made = {
        f"{kind}: {name}": maker(name, p)
        for kind, p, names in (
            ("typos", P, ("human_typos", "keyboard_typos")),
            ("ocr", P, ("ocr",)),
            # Of the words that can be replaced, for about a tenth of all words, as the peers.
            ("synonyms", 1.0, ("synonym",)),
            ("misspellings", 0.5, ("misspelling",)),
            ("homophones", 1.0, ("homophone",)),
        )
        for name in names
    }
    return {"perturb": perturb.__version__}, {}, made


def nlpaug_read(data, _):
    """The tags that SynonymAug asks of nltk's tagger are those of a careful reader."""
    import nltk
    from nlpaug.augmenter.char import KeyboardAug, OcrAug
    from nlpaug.augmenter.word import SpellingAug, SynonymAug

    no_caps = {"aug_char_max": None, "aug_word_max": None}
    share = {"aug_char_p": 0.001, "aug_word_p": NLPAUG_WORDS, **no_caps}  # as in nlpaug()
    synonym = SynonymAug(aug_p=READ_P, aug_max=None)
    with Path(data).open("rb") as rows:
        tags = {row["text"]: row["tags"] for row in map(json.loads, rows)}

    def with_synonyms(text):
        tokens = synonym.tokenizer(text)
        found = [tags[text].get(str(start), "DT") for start in starts_of(text, tokens)]
        nltk.pos_tag = lambda _: [*zip(tokens, found, strict=True)]
        return synonym.augment(text)[0]

    made = {
        "typos: nlpaug KeyboardAug": KeyboardAug(**share).augment,
        "ocr: nlpaug OcrAug": OcrAug(**share).augment,
        "synonyms: nlpaug SynonymAug": lambda texts: [*map(with_synonyms, texts)],
        "misspellings: nlpaug SpellingAug": SpellingAug(aug_p=READ_P, aug_max=None).augment,
    }
    return {"nlpaug": version("nlpaug")}, {}, seeded_by_random(made)


def glitchlings_read(*_):
    from glitchlings import Gaggle, Jargoyle, Scannequin, Typogre, Wherewolf

    def maker(kind, rate):
        def made(texts, seed):
            return Gaggle([kind(rate=rate, seed=seed)], seed=seed).corrupt_batch(texts)

        return made

    made = {
        "typos: glitchlings Typogre": maker(Typogre, P),
        "ocr: glitchlings Scannequin": maker(Scannequin, 4 * P),  # with P it changes no sentence
        "synonyms: glitchlings Jargoyle": maker(Jargoyle, READ_P),
        "homophones: glitchlings Wherewolf": maker(Wherewolf, READ_P),
    }
    return {"glitchlings": version("glitchlings")}, {}, made


def textnoisr_read(*_):
    versions, _, made = textnoisr()
    made = made["CharNoiseAugmenter, each of a list"]
    return versions, {}, {"typos: textnoisr CharNoiseAugmenter": made}


def augly_read(*_):
    versions, _, made = augly()
    return versions, {}, {"typos: augly SimulateTypos": made["SimulateTypos(list)"]}


def langtest_read(*_):
    versions, _, made = langtest()
    return (
        versions,
        {},
        {
            "typos: langtest AddTypo": made["AddTypo(list)"],
            "ocr: langtest AddOcrTypo": made["AddOcrTypo(list)"],
        },
    )


def starts_of(text, tokens):
    """Where each token stands in the text."""
    starts, end = [], 0
    for token in tokens:
        starts.append(text.index(token, end))
        end = starts[-1] + len(token)
    return starts


def floor(data, _):
    """What the machine allows."""
    import orjson

    def parse_and_write():
        with Path(data).open("rb") as rows, tempfile.TemporaryFile() as out:
            for row in rows:
                out.write(orjson.dumps(orjson.loads(row), option=orjson.OPT_APPEND_NEWLINE))

    def copy():
        bytearray(memory)

    def encode_and_decode(texts):
        whole = "".join(texts).encode("latin-1", "replace").decode("latin-1")
        ends = [0]
        for text in texts:
            ends.append(ends[-1] + len(text))
        return [whole[start:end] for start, end in pairwise(ends)]

    memory = Path(data).read_bytes()
    timed = {
        "copy of the file in memory": copy,
        "join, encode, decode, cut (list)": encode_and_decode,
        "orjson loads, dumps, write": parse_and_write,
    }
    return {"orjson": orjson.__version__}, timed, {}


def measured(operation, kind, texts, calls):
    """Seconds by the clock and of the processor: the medians of a call for each text, or means."""
    if kind == "each":
        return list(map(statistics.median, zip(*map(timed(operation), texts), strict=True)))
    arguments = (texts,) if kind == "list" else ()
    times = [timed(operation)(*arguments) for _ in range(calls)]
    return list(map(statistics.fmean, zip(*times, strict=True)))


def timed(operation):
    def run(*arguments):
        wall, cpu = perf_counter(), process_time()
        operation(*arguments)
        return perf_counter() - wall, process_time() - cpu

    return run


def cut(texts, length):
    """The texts, one after another, cut into pieces of a length."""
    whole = " ".join(texts)
    return [whole[start : start + length] for start in range(0, len(whole) - length + 1, length)]


def serve(side, data, field):
    answers, sys.stdout = sys.stdout, io.StringIO()  # what a library prints is no answer

    def answer(value):
        print(json.dumps(value), file=answers, flush=True)

    with Path(data).open("rb") as rows:
        texts = [json.loads(row)[field] for row in rows]
    versions, operations, makers = globals()[side](data, field)
    answer([versions, list(operations), list(makers)])
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
