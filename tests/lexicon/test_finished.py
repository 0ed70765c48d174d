"""Replacements as they stand in the finished text, judged word by word (`judge.py`)."""

import judge
import pytest

import perturb

SEEDS = range(6)


def finished(sentences, profile, seeds=SEEDS):
    """Every replacement of a marked word: word, tag, what stands there now."""
    texts = [sentence.text for sentence in sentences]
    for seed in seeds:
        records = perturb.apply(texts, perturb.steps.synonym(p=1.0, profile=profile), seed=seed)
        for sentence, record in zip(sentences, records, strict=True):
            for edit in record.edits:
                if edit.start in sentence.tags:
                    word = sentence.text[edit.start : edit.end]
                    yield word, sentence.tags[edit.start], edit.text


@pytest.mark.parametrize("table", ["sentences.tsv", "held_out.tsv"])
@pytest.mark.parametrize("profile", ["common", "all"])
@pytest.mark.slow
def test_share_that_keeps_part_of_speech_and_inflection(table, profile, capsys, in_full):
    sentences = judge.sentences(table)
    made = list(finished(sentences, profile, SEEDS if in_full else SEEDS[:2]))
    share = sum(judge.keeps(*one) for one in made) / len(made)
    with capsys.disabled():
        print(
            f"\n{table}, {profile}: {share:.1%} of {len(made)} replacements in {len(sentences)} sentences"
        )
    assert len(sentences) >= (200 if table == "sentences.tsv" else 60)
    assert share >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "word", "tag"),
    [("The children slept.", "children", "NNS"), ("The shelves fell.", "shelves", "NNS"),
     ("Tom went there.", "went", "VBD"),
     ("This is bigger.", "bigger", "JJR"), ("They are running a shop.", "running", "VBG"),
     ("She starts it.", "starts", "VBZ"), ("Both watches are new.", "watches", "NNS"),
     ("He has begun to sing.", "begun", "VBN"), ("The thief hid there.", "hid", "VBD")],
)  # fmt: skip
def test_irregular_words_keep_theirs(text, word, tag):
    sentences = [judge.Sentence(text, {text.index(word): tag})]
    made = list(finished(sentences, "all"))
    assert made
    assert all(judge.keeps(*one) for one in made), made


@pytest.mark.parametrize(
    ("word", "tag", "replacement", "kept"),
    [("children", "NNS", "kids", True), ("children", "NNS", "kid", False),
     ("started", "VBD", "began", True), ("started", "VBD", "begun", False),
     ("started", "VBN", "begun", True), ("started", "VBD", "beginned", False),
     ("bigger", "JJR", "larger", True), ("bigger", "JJR", "large", False),
     ("stopped", "VBD", "halted", True), ("ceased", "VBD", "stoped", False),
     ("watches", "VBZ", "views", True), ("watches", "NNS", "views", False)],
)  # fmt: skip
def test_the_judge(word, tag, replacement, kept):
    assert judge.keeps(word, tag, replacement) == kept
