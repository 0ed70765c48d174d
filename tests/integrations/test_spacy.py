"""spaCy: entities, span groups and categories are carried to the tokens of the perturbed text."""

import pytest

import perturb

spacy = pytest.importorskip("spacy")
pytestmark = pytest.mark.filterwarnings("default")

TEXTS = [
    "Ada Lovelace was born in London in 1815.",
    "Alan Turing studied in Cambridge, and then at Princeton University.",
    "Nobody was here.",
]
NAMES = ["Ada Lovelace", "London", "Alan Turing", "Cambridge", "Princeton University"]


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


def example(nlp, text, **more):
    from spacy.training import Example

    entities = [(text.find(n), text.find(n) + len(n), "NAME") for n in NAMES if n in text]
    given = {"entities": entities, "cats": {"GOOD": 1.0}, **more}
    return Example.from_dict(nlp.make_doc(text), given)


def made(nlp, text, steps, **more):
    from perturb.integrations.spacy import augmenter

    (one,) = augmenter(steps, **more)(nlp, example(nlp, text))
    return one


@pytest.mark.parametrize(
    "steps", ["keyboard_typos:p=0.2", "char_delete:p=0.2", "word_duplicate:p=0.3"]
)
def test_entities_are_carried(nlp, steps) -> None:
    """Each is what its record says, out to whole tokens."""
    for text in TEXTS:
        before = example(nlp, text).reference
        spans = [(e.start_char, e.end_char) for e in before.ents]
        record = perturb.apply(text, steps, seed=3, spans=spans)
        one = made(nlp, text, steps, seed=3)
        assert one.text == one.reference.text == record.text
        assert len(one.reference.ents) == len(spans)
        for entity, (start, end) in zip(one.reference.ents, record.spans, strict=True):
            assert entity.label_ == "NAME"
            assert entity.start_char <= start
            assert entity.end_char >= end
            assert record.text[start:end] in entity.text
        assert one.reference.cats == {"GOOD": 1.0}


def test_case_keeps_every_token(nlp) -> None:
    one = made(nlp, TEXTS[0], "case:style=upper,p=1.0")
    assert [entity.text for entity in one.reference.ents] == ["ADA LOVELACE", "LONDON"]


def test_each_epoch_is_another(nlp) -> None:
    from perturb.integrations.spacy import augmenter

    augment = augmenter("keyboard_typos:p=0.2")
    (first,), (second,) = (augment(nlp, example(nlp, TEXTS[0])) for _ in range(2))
    assert first.text != second.text
    again = augmenter("keyboard_typos", p=0.2)
    assert next(again(nlp, example(nlp, TEXTS[0]))).text == first.text


def test_span_groups_are_carried(nlp) -> None:
    from perturb.integrations.spacy import augmenter

    one = example(nlp, TEXTS[0])
    one.reference.spans["places"] = [one.reference.char_span(25, 31, label="PLACE")]
    (after,) = augmenter("case:style=upper,p=1.0")(nlp, one)
    assert [(s.text, s.label_) for s in after.reference.spans["places"]] == [("LONDON", "PLACE")]


def test_tags_are_refused(nlp) -> None:
    from perturb.integrations.spacy import augmenter

    one = example(nlp, "She runs", tags=["PRP", "VBZ"])
    with pytest.raises(perturb.DataError, match="has TAG, which belong to its tokens"):
        list(augmenter("keyboard_typos:p=0.2")(nlp, one))


def test_a_training_configuration(nlp, tmp_path) -> None:
    """spaCy finds it by its name; of an installed package without this import."""
    from spacy.tokens import DocBin
    from spacy.util import registry

    import perturb.integrations.spacy  # noqa: F401

    corpus = tmp_path / "train.spacy"
    DocBin(docs=[example(nlp, text).reference for text in TEXTS]).to_disk(corpus)
    config = {
        "corpus": {
            "@readers": "spacy.Corpus.v1",
            "path": str(corpus),
            "gold_preproc": False,
            "max_length": 0,
            "limit": 0,
            "augmenter": {"@augmenters": "perturb.augmenter.v1", "steps": "keyboard_typos:p=0.2"},
        }
    }
    reader = registry.resolve(config)["corpus"]
    first, second = ([one.text for one in reader(nlp)] for _ in range(2))
    assert len(first) == len(TEXTS)
    assert first != TEXTS
    assert first != second


def test_what_is_read_of_documents(nlp):
    from perturb.errors import UsageError
    from perturb.integrations.spacy import replies

    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    patterns = [{"label": "NAME", "pattern": name} for name in NAMES]
    pipeline.add_pipe("entity_ruler").add_patterns(patterns)
    assert replies(pipeline)(TEXTS) == [
        [[0, 12, "NAME"], [25, 31, "NAME"]],
        [[0, 11, "NAME"], [23, 32, "NAME"], [46, 66, "NAME"]],
        [],
    ]
    assert replies(pipeline, "sents", batch_size=1)(["It is. He was!"]) == [
        [[0, 6, "sentence"], [7, 14, "sentence"]]
    ]
    assert replies(pipeline, "cats")(TEXTS[:1]) == [None]
    pipeline.add_pipe("textcat").initialize(
        lambda: [example(nlp, t, cats={"A": 1, "B": 0}) for t in TEXTS]
    )
    (best,) = replies(pipeline, "cats")(TEXTS[:1])
    assert best["label"] in ("A", "B")
    assert best["score"] >= 0.5
    with pytest.raises(UsageError, match="unknown part of a document 'cat': did you mean cats"):
        replies(pipeline, "cat")
