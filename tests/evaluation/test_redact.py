"""Keys and passwords stay out of files."""

import shlex

import pytest

from perturb.errors import UsageError
from perturb.evaluation.limits import Price, parse_price, prompt_tokens
from perturb.evaluation.redact import redacted, redacted_command, secrets_in, without


@pytest.mark.parametrize(
    "line",
    [
        "solve --api-key SECRET x",
        "solve --api-key=SECRET",
        "solve --token SECRET",
        "env API_KEY=SECRET solve",
        "env OPENAI_API_KEY=SECRET solve",
        "solve --password SECRET",
        "solve https://ada:SECRET@host/v1",
        "solve -H 'Authorization: Bearer SECRET'",
    ],
)
def test_commands(line):
    shown = redacted_command(shlex.split(line))
    assert "SECRET" not in shown
    assert "(hidden)" in shown


@pytest.mark.parametrize(
    "line",
    [
        "python solver.py --tokens 5 --max-tokens 7",
        "solve --keyboard us --verbose",
        "solve --key-file",
        "sh -c 'cat x'",
        "python -c 'key=1; print(key)'",
        "solve http://localhost:8000/v1",
    ],
)
def test_what_is_no_secret_stays(line):
    assert shlex.split(redacted_command(shlex.split(line))) == shlex.split(line)


def test_keys_that_are_known_by_their_looks():
    for key in ("sk-proj-abcdefghijklmnop", "hf_abcdefghijklmnopqrst", "AKIAABCDEFGHIJKLMNOP"):
        assert key not in redacted_command(["solve", key])
        assert redacted({"x": [f"a {key}"]}) == {"x": ["a (hidden)"]}


def test_fields():
    body = {"top_k": 3, "max_tokens": 5, "auth": {"api_key": "s1", "user": "ada"}, "apiKey": ["s2"]}
    assert redacted(body) == {
        "top_k": 3,
        "max_tokens": 5,
        "auth": {"api_key": "(hidden)", "user": "ada"},
        "apiKey": "(hidden)",
    }
    assert sorted(secrets_in(body)) == ["s1", "s2"]
    assert without("s10 and s1 and s2", ("s1", "s10", "", "s2")) == " and ".join(["(hidden)"] * 3)


def test_prices():
    price = parse_price("2.50,10")
    assert price == Price(2.5, 10)
    assert price.of({"prompt": 2e6, "completion": 5e5, "cached": 7}) == 10.0
    assert prompt_tokens("x" * 4000) == pytest.approx(1000, rel=0.01)
    for wrong in ("2.5", "a,b", "1,-1", "1,inf", ""):
        with pytest.raises(UsageError, match=r"as 2\.50,10; got"):
            parse_price(wrong)
