"""The form of prompts, the order of their examples, and codes."""

import base64
import codecs
import html
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb.testing import texts

PROMPT = "# Task\nQuestion: Which?\nOptions:\n- red\n- blue\nExample 2 : so\nAnswer:"


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        (
            'separator=" - ",casing=keep,marker=keep',
            "# Task\nQuestion - Which?\nOptions -\n- red\n- blue\nExample 2 - so\nAnswer -",
        ),
        (
            "separator=keep,casing=upper,marker=*",
            "# Task\nQUESTION: Which?\nOPTIONS:\n* red\n* blue\nEXAMPLE 2 : so\nANSWER:",
        ),
        (
            'separator=":\\n",casing=lower,marker=keep',
            "# Task\nquestion:\nWhich?\noptions:\n\n- red\n- blue\nexample 2:\nso\nanswer:\n",
        ),
        (
            "separator=keep,casing=title,marker=keep",
            "# Task\nQuestion: Which?\nOptions:\n- red\n- blue\nExample 2 : so\nAnswer:",
        ),
        (
            'separator=" || ",casing=keep,marker=keep,names="task, example"',
            "# Task\nQuestion || Which?\nOptions ||\n- red\n- blue\nExample 2 || so\nAnswer ||",
        ),
    ],
)
def test_forms(settings, wanted):
    record = perturb.apply(PROMPT, f"prompt_format:{settings}")
    assert record.text == wanted
    assert (record.status == "no site") == (wanted == PROMPT)


def test_further_names():
    text = "Вопрос: что?\nОтвет: да\nYes: no\nanswer the question: no"
    found = perturb.apply(text, 'prompt_format:names="Вопрос,Ответ",separator=" = ",casing=keep')
    assert found.text == "Вопрос = что?\nОтвет = да\nYes: no\nanswer the question: no"
    assert perturb.apply(text, "prompt_format").status == "no site"


@pytest.mark.slow
def test_one_form_a_text():
    """Every field gets the same separator and casing, and none keeps what it had."""
    text = "Question: a\nContext: b\nAnswer: c"
    seen = set()
    for seed in range(200):
        lines = perturb.apply(text, "prompt_format", seed=seed).text
        for name, content in zip(("Question", "Context", "Answer"), "abc", strict=True):
            at = lines.lower().index(name.lower())
            lines = lines[:at] + "NAME" + lines[at + len(name) :].replace(content, "_", 1)
        first, second, third = (part.removesuffix("\n") for part in lines.split("NAME")[1:])
        assert first == second == third
        seen.add(first)
        assert perturb.apply(text, "prompt_format", seed=seed).status == "changed"
    assert len(seen) == 18


SHOTS = "Be short.\n\nQ: 1?\nA: x\n\nQ: 2?\nA: y\n\nQ: 3?\nA: z\n\nQ: 4?\nA:"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "step", "examples"),
    [
        (SHOTS, "example_shuffle", ["Q: 1?\nA: x", "Q: 2?\nA: y", "Q: 3?\nA: z"]),
        ("Q: 1 A: x\nQ: 2 A: y\nQ: 3 A:", "example_shuffle", ["Q: 1 A: x", "Q: 2 A: y"]),
        (
            "Example 1:\nInput: a\nExample 2:\nInput: b\nExample 3:\nInput:",
            "example_shuffle",
            ["Example 1:\nInput: a", "Example 2:\nInput: b"],
        ),
        (
            "Q: 1?\nA: x\n\nQ: 2?\nA: y\n\nNow you:\nQ: 3?\nA:",
            "example_shuffle",
            ["Q: 1?\nA: x", "Q: 2?\nA: y"],
        ),
        (SHOTS, "example_shuffle:skip=1", ["Q: 2?\nA: y", "Q: 3?\nA: z"]),
        (
            "a -> 1\r\n\r\nb -> 2\r\n\r\nc ->",
            "example_shuffle:blocks=paragraph",
            ["a -> 1", "b -> 2"],
        ),
        ("go\n\na\n \n\nb\n\n\n\nc", "example_shuffle:blocks=paragraph,skip=1", ["a", "b"]),
    ],
)
def test_the_examples_move_and_nothing_else(text, step, examples):
    seen = set()
    for seed in range(60):
        record = perturb.apply(text, step, seed=seed)
        order = record.steps[0].note["order"]
        assert sorted(order) == list(range(len(examples)))
        parts, rest = [], text
        for place, example in enumerate(examples):
            before, rest = rest.split(example, 1)
            parts += [before, examples[order[place]]]
        assert record.text == "".join([*parts, rest]) != text
        assert perturb.verify(record)
        seen.add(tuple(order))
    assert len(seen) == {2: 1, 3: 5}[len(examples)]


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("", "example_shuffle"),
        ("Q: 1?\nA: x\n\nQ: 2?\nA:", "example_shuffle"),
        ("Q: 1?\nQ: 1?\nQ: 2?", "example_shuffle"),
        (SHOTS, "example_shuffle:skip=2"),
        ("one\n\ntwo", "example_shuffle:blocks=paragraph"),
    ],
)
def test_no_examples_to_move(text, step):
    assert perturb.apply(text, step).status == "no site"


def test_an_example_that_may_not_be_touched_holds_all():
    assert perturb.apply(SHOTS, "example_shuffle", protect="word:y").status == "protected"
    assert perturb.apply(SHOTS, "example_shuffle", protect="word:Be").status == "changed"


@pytest.mark.parametrize(
    ("step", "text", "golden"),
    [
        ("option_shuffle", "A. red\nB. blue\nC. green", "A. green\nB. blue\nC. red"),
        ("option_labels", "A. red\nB. blue\nC. green", "(a) red\n(b) blue\n(c) green"),
        (
            "prompt_format",
            "Question: Which?\n- red\nAnswer: blue",
            "QUESTION - Which?\n• red\nANSWER - blue",
        ),
        (
            "example_shuffle",
            SHOTS,
            "Be short.\n\nQ: 3?\nA: z\n\nQ: 1?\nA: x\n\nQ: 2?\nA: y\n\nQ: 4?\nA:",
        ),
    ],
)
def test_what_is_drawn_is_pinned(step, text, golden):
    """A change here is a new version of the perturbator, or of the contract."""
    assert str(perturb.apply(text, step, seed=3, id="pinned")) == golden


# Codes

SENTENCE = "The quick brown fox's 3 e-mails: très bon, Yes!\nQUIET rhythm."
DECODERS = {
    "base64": lambda text: base64.b64decode(text).decode(),
    "hex": lambda text: bytes.fromhex(text).decode(),
    "hex_spaces": lambda text: bytes.fromhex(text).decode(),
    "rot13": lambda text: codecs.decode(text, "rot13"),
    "url": urllib.parse.unquote,
    "html": html.unescape,
}


@pytest.mark.parametrize("codec", DECODERS)
def test_codes_can_be_read_back(codec):
    record = perturb.apply(SENTENCE, f"encode:codec={codec}")
    assert record.text != SENTENCE
    assert DECODERS[codec](record.text) == SENTENCE


@given(st.sampled_from(sorted(DECODERS)), texts)
def test_any_text_can_be_read_back(codec, text):
    """All but surrogates, which UTF-8 has not, and the references that HTML has not for controls."""
    record = perturb.apply(text, f"encode:codec={codec}")
    if record.status == "changed" and not any(
        "\ud800" <= c <= "\udfff" or (codec == "html" and not c.isprintable()) for c in text
    ):
        assert DECODERS[codec](record.text) == text


@pytest.mark.parametrize(
    ("codec", "text", "wanted"),
    [
        ("hex", "Hé", "48c3a9"),
        ("hex_spaces", "Hé", "48 c3 a9"),
        ("base64", "Many hands", "TWFueSBoYW5kcw=="),
        ("url", "a b/ü~", "a%20b%2F%C3%BC~"),
        ("html", "<é>", "&#60;&#233;&#62;"),
        (
            "morse",
            "SOS, now!\nYes 42 日本",
            "... --- ... --..-- / -. --- .-- !\n-.-- . ... / ....- ..--- / 日本",
        ),
        ("morse", "a/b  c", ".- -..-. -... / -.-."),
        (
            "pig_latin",
            "The quick Apple's squire, rhythm by YELLOW string: don't été 42!",
            "Ethay ickquay Apple'sway iresquay, ythmrhay ybay ELLOWYAY ingstray: on'tday étéway 42!",
        ),
        ("pig_latin", "n\u0303o I", "n\u0303oway Iway"),
    ],
)
def test_codes_by_hand(codec, text, wanted):
    assert str(perturb.apply(text, f"encode:codec={codec}")) == wanted


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("rot13", "12 é!"),
        ("url", "abc-1.2_~"),
        ("morse", "日本"),
        ("pig_latin", "12, да"),
        ("hex", " \n"),
    ],
)
def test_what_a_code_leaves_as_it_is_is_no_site(codec, text):
    assert perturb.apply(text, f"encode:codec={codec}").status == "no site"


def test_words_and_templates():
    record = perturb.apply("ab, cd", "encode:codec=hex,unit=word,p=1,template=<{text}/{x}>")
    assert record.text == "<6162/{x}>, <6364/{x}>"
    assert record.units == record.sites == 2
    made = perturb.apply("Hi", "encoding_base16").text
    assert made.startswith("Decode the base16 text")
    assert made.endswith(":\n4869")
    with pytest.raises(perturb.UsageError, match=r"must have \{text\}"):
        perturb.apply("", "encode:template=x")
