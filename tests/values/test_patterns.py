"""Patterns that are compiled when they are first used."""

import re

import pytest

from perturb.values.patterns import lazy_re


def test_a_pattern_is_compiled_at_its_first_use_alone(monkeypatch):
    compiled, real = [], re.compile
    monkeypatch.setattr(re, "compile", lambda *given: (compiled.append(given), real(*given))[1])
    pattern = lazy_re(r"a(b)?", re.IGNORECASE)
    assert compiled == []
    assert [pattern.sub("-", text) for text in ("xAB", "xa")] == ["x-", "x-"]
    assert compiled == [(r"a(b)?", re.IGNORECASE)]
    assert pattern.pattern == r"a(b)?"


def test_a_wrong_pattern_is_an_error_there():
    pattern = lazy_re("(")
    with pytest.raises(re.error, match="unterminated subpattern"):
        pattern.search("a")
