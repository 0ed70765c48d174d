"""Pipelines and models of other libraries as systems.

The outputs of `transformers` are those that 4.57.1 and 5.24.0 gave for two texts, or for rows with a
context; 5 has no pipelines for questions, summaries and translations any more. Where the library is
installed, a small model with random weights is asked too.
"""

from types import SimpleNamespace

import pytest

from perturb import augment
from perturb.errors import UsageError
from perturb.evaluation import evaluate
from perturb.integrations.sentence_transformers import replies as ranked
from perturb.integrations.transformers import replies
from perturb.robustness import score

MASKED = [
    {"score": 0.6, "token": 73, "token_str": " fox", "sequence": "The fox ran"},
    {"score": 0.1, "token": 14, "token_str": " dog", "sequence": "The dog ran"},
]
SPAN = {"score": 0.3, "word": "Paris", "start": 12, "end": 17}
LABELS = [{"label": "POS", "score": 0.9}, {"label": "NEG", "score": 0.1}]
QUESTIONS = [{"id": 1, "question": "Where?", "context": "In Paris."}]
# By task: the output for each text, and the answer.
OUTPUTS = {
    "text-classification": (LABELS[0], LABELS[0]),
    "sentiment-analysis": (LABELS, LABELS[0]),
    "zero-shot-classification": (
        {"sequence": "a", "labels": ["POS", "NEG"], "scores": [0.9, 0.1]},
        LABELS[0],
    ),
    "token-classification": ([SPAN | {"entity": "B-LOC", "index": 4}], [[12, 17, "B-LOC"]]),
    "ner": ([SPAN | {"entity_group": "LOC"}], [[12, 17, "LOC"]]),
    "fill-mask": (MASKED, "fox"),
    "text-generation": ([{"generated_text": " in Paris"}], " in Paris"),
    "text2text-generation": ({"generated_text": "in Paris"}, "in Paris"),
    "summarization": ([{"summary_text": "Paris"}], "Paris"),
    "translation_en_to_fr": ([{"translation_text": "Bonjour"}], "Bonjour"),
    "question-answering": ({"score": 0.4, "start": 3, "end": 8, "answer": "Paris"}, "Paris"),
}


def pipe_of(task, output, calls=None):
    """A pipeline that says one thing, of each that it is asked one after the other."""

    def pipe(asked, **options):
        for each in asked:
            if calls is not None:
                calls.append((each, options))
            yield output

    pipe.task = task
    return pipe


@pytest.mark.parametrize("task", OUTPUTS)
def test_the_answer_of_each_task(task):
    output, answer = OUTPUTS[task]
    asked = QUESTIONS if task == "question-answering" else ["Is it so?"]
    assert replies(pipe_of(task, output))(asked) == [answer]
    assert replies(pipe_of(task, output))(asked * 2) == [answer] * 2


@pytest.mark.parametrize("scores", [LABELS[::-1], [LABELS[::-1]]])
def test_the_best_label_counts_in_whatever_order_they_come(scores):
    assert replies(pipe_of("text-classification", scores))(["Is it so?"]) == [LABELS[0]]


def test_what_a_pipeline_is_asked():
    """A prompt isn't repeated, options reach each call, and a question has its context alone."""
    calls = []
    output, _ = OUTPUTS["text-generation"]
    replies(pipe_of("text-generation", output, calls), max_new_tokens=4)(["Hi"])
    assert calls == [("Hi", {"return_full_text": False, "max_new_tokens": 4})]
    calls.clear()
    chat = [{"role": "user", "content": "Hi"}]
    said = [{"generated_text": [*chat, {"role": "assistant", "content": "Ho"}]}]
    pipe = pipe_of("text-generation", said, calls)
    assert replies(pipe, return_full_text=True)([chat]) == ["Ho"]
    assert calls == [(chat, {"return_full_text": True})]
    calls.clear()
    replies(pipe_of("question-answering", {"answer": "Paris"}, calls))(QUESTIONS)
    assert calls == [({"question": "Where?", "context": "In Paris."}, {})]
    assert replies(pipe_of("fill-mask", [MASKED, MASKED[1:]]))(["[MASK] [MASK]"]) == [
        ["fox", "dog"]
    ]
    assert replies(pipe_of("ner", []))(["Nobody"]) == [[]]


def test_a_task_without_a_text():
    with pytest.raises(UsageError, match="unknown task of a pipeline 'depth-estimation'"):
        replies(pipe_of("depth-estimation", {}))


def test_labels_and_spans_are_judged():
    rows = [{"id": f"{n}", "text": f"the house number {n} of Paris"} for n in range(4)]
    noisy = list(augment(rows, "case:style=upper,p=1", with_original=True))
    for task, way in {"text-classification": "label", "ner": "entities"}.items():
        system = replies(pipe_of(task, OUTPUTS[task][0]))
        answered = evaluate(system, noisy, batched=3)
        verdict = score(answered, against="original", match=way)
        assert verdict.to_dict()["overall"][0]["perturbed_mean"] == 1


class Matrix(list):
    """As much of a tensor as is asked for: the places of the largest of each row."""

    def topk(self, count):
        rows = [sorted(range(len(row)), key=lambda at: -row[at])[:count] for row in self]
        return SimpleNamespace(indices=SimpleNamespace(tolist=lambda: rows))


class Model:
    """A model as sentence-transformers has it from 5 on, by the letters of texts."""

    def encode_document(self, texts, **options):
        self.options = options
        return [set(text) for text in texts]

    encode_query = encode_document

    def similarity(self, one, other):
        return Matrix([len(a & b) / len(a | b) for b in other] for a in one)


def test_a_model_ranks_ids():
    model, corpus = Model(), {7: "abc", "d2": "xyz", "d3": "abx"}
    system = ranked(model, corpus, batch_size=2)
    assert system(["abc", "zyx"]) == [[7, "d3", "d2"], ["d2", "d3", 7]]
    assert model.options == {"batch_size": 2}
    assert ranked(model, corpus, top=1)(["abd"]) == [[7]]
    rows = [{"id": "q", "text": "abc", "answer": 7}]
    answered = evaluate(system, augment(rows, "identity", with_original=True), batched=2)
    assert {row["prediction"][0] for row in answered} == {7}


@pytest.fixture(scope="module")
def tokenizer():
    pytest.importorskip("torch", reason="a real pipeline needs transformers and torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = "[PAD] [UNK] [MASK] The quick brown fox in Paris".split()
    made = Tokenizer(models.WordLevel({w: n for n, w in enumerate(words)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "mask_token": "[MASK]"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **special)


@pytest.mark.filterwarnings("default")
def test_real_pipelines(tokenizer):
    import transformers

    def pipe(task, kind, *labels, **more):
        size = {"hidden_size": 8, "intermediate_size": 8, "num_attention_heads": 1}
        numbers = {label: n for n, label in enumerate(labels)}
        names = {"id2label": dict(enumerate(labels)), "label2id": numbers} if labels else {}
        config = transformers.BertConfig(
            **size, **names, num_hidden_layers=1, vocab_size=len(tokenizer)
        )
        model = getattr(transformers, f"BertFor{kind}")(config).eval()
        return transformers.pipeline(task, model=model, tokenizer=tokenizer, **more)

    texts = ["The quick fox", "fox in Paris"]
    classify = pipe("sentiment-analysis", "SequenceClassification", "NEG", "POS")
    for options in ({}, {"top_k": None}, {"batch_size": 2}):
        said = replies(classify, **options)(texts)
        assert [{*each} for each in said] == [{"label", "score"}] * 2
    assert replies(classify)(texts[:1])[0]["label"] == replies(classify)(texts)[0]["label"]
    tag = pipe("ner", "TokenClassification", "A", "B", aggregation_strategy="simple")
    assert all(span[0] < span[1] <= 13 for each in replies(tag)(texts) for span in each)
    mask = replies(pipe("fill-mask", "MaskedLM"))
    assert all(isinstance(each, str) for each in mask(["The [MASK] fox", "in [MASK]"]))
    assert isinstance(mask(["The [MASK]"])[0], str)
    zero = pipe("zero-shot-classification", "SequenceClassification", "contradiction", "entailment")
    assert replies(zero, candidate_labels=["good", "bad"])(texts)[1]["label"] in ("good", "bad")
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=8, n_layer=1, n_head=1, bos_token_id=0, eos_token_id=0
    )
    model = transformers.GPT2LMHeadModel(config)
    write = transformers.pipeline("text-generation", model=model, tokenizer=tokenizer)
    said = replies(write, max_new_tokens=3, do_sample=False)(texts)
    assert not any(each.startswith("The quick") for each in said)
    assert all(isinstance(each, str) for each in said)
