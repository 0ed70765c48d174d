"""Edits in comments or docstrings of Python code alone: the program stays the same."""

import ast
import contextlib
import doctest
import io
import json
import tokenize
from pathlib import Path

import pytest

import perturb
from perturb.cli import main
from perturb.engine.python_code import comments, docstrings
from perturb.errors import DataError, UsageError

SOURCES = sorted((Path(perturb.__file__).parent / "engine").glob("*.py"))
CODE = '''#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""A # in a docstring is no comment."""
total = 0  # the sum so far
url = "a#b"  # type: ignore[assignment]
f"{total}#c"  #: what is written
'''


def program(code):
    """The tokens of a program without its comments, and where they stand."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [(token.type, token.string) for token in tokens if token.type != tokenize.COMMENT]


def test_what_a_comment_is() -> None:
    found = [CODE[start:end] for start, end in comments(CODE)]
    assert found == ["the sum so far", "what is written"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_three_ways(end) -> None:
    code = f"a = '''1{end}2'''  # one{end}\x0cb = 2  # zw\u00f6\u2028lf \U0001f600 x{end}# last"
    assert [code[start:stop] for start, stop in comments(code)] == [
        "one",
        "zw\u00f6\u2028lf \U0001f600 x",
        "last",
    ]


def test_a_comment_in_an_f_string_is_none_in_any_version() -> None:
    assert comments('f"""{\na  # no\n}"""  # yes\n') == [(22, 25)]


@pytest.mark.parametrize(
    "step",
    [
        "keyboard_typos",
        "char_delete",
        "word_delete",
        "truncate",
        "line_breaks",
        "duplicate:unit=line",
    ],
)
def test_the_program_stays(step) -> None:
    codes = [path.read_text("utf-8") for path in SOURCES]
    records = perturb.apply(codes, step, p=0.5, only="comments")
    for code, record in zip(codes, records, strict=True):
        assert program(record.text) == program(code)
        assert record.restore() == code
    changed = sum(record.status == "changed" for record in records)
    assert changed == 0 if "line" in step else changed > len(codes) / 2


def test_a_constant_system_and_two_that_read_comments() -> None:
    """Running the code is unmoved; what counts the words of comments moves."""
    code = "x = 2  # the number of the eggs\ny = x * 3  # in all\n"
    record = perturb.apply(code, "word_delete", p=0.5, only="comments")
    assert record.status == "changed"
    before, after = {}, {}
    exec(code, before)
    exec(record.text, after)
    assert (before["x"], before["y"]) == (after["x"], after["y"])
    assert len(record.text.split()) < len(code.split())


DOCUMENTED = '''# no
"""Of the module.""" ; "no"
x = {"a": "no"}
class A: "of a class"
async def f(a: "no" = [1, 2][0:1], b="no") -> "no":
    # no
    r"""Of a \\function, with a
    \\"word\\", a "word",

    >>> f("no")
    no

    \\x41 and more"""
    "no"; b"no"
def g():
    f"no {x}"
def h():
    "no" .strip()
def i():
    u\'one\' "two"
if x:
    "no"
async with x: "no"
def j(): return lambda: "no"
class B: y: "no"
def k(): "of a function"; z: "no"
'''


def test_what_prose_in_a_docstring_is() -> None:
    found = [DOCUMENTED[start:end] for start, end in docstrings(DOCUMENTED)]
    assert found == [
        "Of the module.",
        "of a class",
        "Of a ",
        "unction, with a",
        "and more",
        "of a function",
    ]


def bare(code):
    """A program without its docstrings, and the doctests in these."""
    tests, tree = [], ast.parse(code)
    documented = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented):
            if (text := ast.get_docstring(node, clean=False)) is None:
                continue
            tests += [
                (test.source, test.want) for test in doctest.DocTestParser().get_examples(text)
            ]
            node.body[0].value.value = ""
    return ast.dump(tree), tests


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "step", ["keyboard_typos", "char_delete", "char_insert", "word_swap", "leetspeak"]
)
def test_the_program_and_its_doctests_stay(step, end) -> None:
    paths = [*SOURCES, *(Path(perturb.__file__).parent / "plan").glob("*.py")]
    codes = [path.read_text("utf-8").replace("\n", end) for path in paths]
    records = perturb.apply([*codes, DOCUMENTED], step, p=0.9, only="docstrings")
    for code, record in zip([*codes, DOCUMENTED], records, strict=True):
        assert record.status == "changed"
        assert bare(record.text) == bare(code)
        assert record.restore() == code


@pytest.mark.parametrize("text", ["x = (1  # open", "don't # now", "  a\n b # odd\n"])
def test_what_is_no_python_is_refused(text) -> None:
    for rule in ("comments", "docstrings"):
        with pytest.raises(DataError, match=f"the rule {rule} is for Python code, but"):
            perturb.apply(text, "keyboard_typos", only=rule)


def test_signs_that_are_no_python_are_no_error() -> None:
    assert comments("!ls # a\na ? $b “c” # d") == [(6, 7), (21, 22)]


def test_a_lone_surrogate_is_no_more_than_an_error() -> None:
    """From Python 3.12 on, the tokenizer reads UTF-8, which has none."""
    text = "x = 1 # c\ud800"
    with contextlib.suppress(DataError):
        assert comments(text) == [(8, len(text))]


def test_code_without_a_comment_has_no_site() -> None:
    assert perturb.apply("x = 1\n", "keyboard_typos", p=1.0, only="comments").status != "changed"


def test_it_stands_alone_and_restricts() -> None:
    with pytest.raises(UsageError, match="the rule comments can't be combined with others"):
        perturb.apply(CODE, "keyboard_typos", only=["comments", "number"])
    with pytest.raises(UsageError, match="comments restricts edits, so give it to only"):
        perturb.apply(CODE, "keyboard_typos", protect="comments")


def test_from_the_command_line(tmp_path) -> None:
    source, output = tmp_path / "in.py.jsonl", tmp_path / "out.jsonl"
    rows = [{"id": str(number), "code": CODE} for number in range(20)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    options = ["--field", "code", "--only", "comments", "-i", str(source), "-o", str(output)]
    assert main(["apply", "char_swap", "-p", "0.5", *options]) == 0
    assert main(["verify", str(output)]) == 0
    made = [json.loads(line)["code"] for line in output.read_text("utf-8").splitlines()]
    assert all(program(code) == program(CODE) for code in made)
    assert len(set(made)) > 1
