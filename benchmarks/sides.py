"""One side of a benchmark: a library in a process of its own, which times what it is told to.

Run as `python sides.py SIDE DATA FIELD`, it runs in the side's own environment, so nothing but
the side and the standard library may be imported. Requests and answers are lines of JSON on
standard input and output.
"""

import difflib
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


def perturb(data, field):
    """Every perturbator on a list; its records hold the edits as arrays until they are asked."""
    import numpy

    import perturb
    from perturb.cli import main

    def on_list(name):
        return lambda texts: [str(record) for record in perturb.apply(texts, name, p=P)]

    def with_edits(texts):
        return [record.edits for record in perturb.apply(texts, "keyboard_typos", p=P)]

    def command_line(*options):
        steps = ["apply", "keyboard_typos", "-p", str(P), "--field", field]
        with tempfile.TemporaryDirectory() as folder:
            status = main([*steps, "-i", str(data), "-o", f"{folder}/out.jsonl", *options])
        if status:
            raise SystemExit(status)

    versions = {"perturb": perturb.__version__, "numpy": numpy.__version__}
    return versions, {
        **{f"apply(list) {name}": on_list(name) for name in perturb.names()},
        "apply(list), all edits read": with_edits,
        "apply(str) keyboard_typos": lambda text: perturb.apply(text, "keyboard_typos", p=P).text,
        "perturb apply": lambda: command_line(),
        "perturb apply --compact": lambda: command_line("--compact"),
    }


def nlpaug(*_):
    """Keyboard typos without caps, nearest to the share P, and as its two shares multiply to P.

    It rounds the number of characters up in every word that it changes. With a tiny share that is
    one a word, and a quarter of the words is then about P of the characters.
    """
    from nlpaug.augmenter.char import KeyboardAug

    no_caps = {"aug_char_max": None, "aug_word_max": None}
    nearest = KeyboardAug(aug_char_p=0.001, aug_word_p=NLPAUG_WORDS, **no_caps)
    product = KeyboardAug(aug_char_p=P**0.5, aug_word_p=P**0.5, **no_caps)
    return {"nlpaug": version("nlpaug")}, {
        "KeyboardAug(list)": nearest.augment,
        "KeyboardAug(list) .224 x .224": product.augment,
        "KeyboardAug(str)": lambda text: nearest.augment(text)[0],
    }


def perturb_words(*_):
    """Words for other words; for the edits, all that can be replaced is."""
    import perturb

    def on_list(step):
        return lambda texts: [str(record) for record in perturb.apply(texts, step, p=WORDS_P)]

    def edits(step):
        return lambda texts, seed: [
            (record.text, record.edits) for record in perturb.apply(texts, step, p=1.0, seed=seed)
        ]

    steps = ("synonym", "synonym:profile=all", "misspelling", "misspelling:rules=false")
    return {"perturb": perturb.__version__}, {
        **{f"apply(list) {step}": on_list(step) for step in steps},
        **{
            f"apply(str) {step}": lambda text, step=step: perturb.apply(text, step, p=WORDS_P).text
            for step in steps[::2]
        },
        **{f"edits {step}": edits(step) for step in steps[:2]},
    }


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

    def edits(texts, seed):
        random.seed(seed)
        return [told(text) for text in texts]

    versions = {"nlpaug": version("nlpaug"), "nltk": version("nltk")}
    return versions, {
        "SynonymAug(list)": nouns,
        "SpellingAug(list)": spelling.augment,
        "SynonymAug(str)": nouns,
        "SpellingAug(str)": spelling.augment,
        "edits SynonymAug": edits,
    }


def starts_of(text, tokens):
    """Where each token stands in the text."""
    starts, end = [], 0
    for token in tokens:
        starts.append(text.index(token, end))
        end = starts[-1] + len(token)
    return starts


def glitchlings(*_):
    """Typos at neighbouring keys, and some of other kinds, by a library in Rust."""
    from glitchlings import Gaggle, Typogre

    typos = Typogre(rate=P, seed=0)
    return {"glitchlings": version("glitchlings")}, {
        "Typogre(list)": Gaggle([typos], seed=0).corrupt_batch,
        "Typogre(str)": typos.corrupt,
    }


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
    return {"orjson": orjson.__version__}, {
        "copy of the file in memory": copy,
        "join, encode, decode, cut": encode_and_decode,
        "orjson loads, dumps, write": parse_and_write,
    }


def seconds(operation, texts, kind, clock):
    """The time of one call for all texts or the whole file, or the median of a call for each."""
    if kind == "each":
        return statistics.median(timed(clock, operation, text) for text in texts)
    return timed(clock, operation, texts) if kind == "list" else timed(clock, operation)


def timed(clock, operation, *arguments):
    start = clock()
    operation(*arguments)
    return clock() - start


def changed(operation, texts):
    """The share of the characters that differ afterwards, white space aside (nlpaug moves it)."""
    differ = total = 0
    for before, after in zip(texts, operation(texts), strict=True):
        before, after = "".join(before.split()), "".join(after.split())
        codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        differ += sum(max(b - a, d - c) for kind, a, b, c, d in codes if kind != "equal")
        total += len(before)
    return differ / max(total, 1)


def serve(side, data, field):
    answers, sys.stdout = sys.stdout, io.StringIO()  # what a library prints is no answer
    with Path(data).open("rb") as rows:
        texts = [json.loads(row)[field] for row in rows]
    versions, operations = globals()[side](data, field)
    print(json.dumps([versions, list(operations)]), file=answers, flush=True)
    for line in sys.stdin:
        name, kind, first = json.loads(line)
        clock = process_time if kind.startswith("cpu ") else perf_counter
        kind = kind.removeprefix("cpu ")
        operation = operations[name]
        if kind == "edits":
            answer = operation(texts, first)
        elif kind == "changed":
            answer = changed(operation, texts[:first])
        elif kind == "each":
            answer = seconds(
                operation, [text for text in texts if len(text) == 120][:first], kind, clock
            )
        else:
            answer = seconds(operation, texts[:first], kind, clock)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    serve(*sys.argv[1:])
