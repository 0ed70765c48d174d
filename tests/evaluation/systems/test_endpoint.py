"""How long it is waited before a question is asked again, and the way to an endpoint."""

import time
from email.utils import formatdate

import pytest

from perturb.evaluation.ask import backoff
from perturb.evaluation.systems.endpoint import _proxy, seconds_after


def test_waits_double_and_are_drawn_from_the_last_half():
    """64 keys: the mean of each is 0.75 of the longest, give or take 5 standard errors (0.09)."""
    for attempt, longest in enumerate([0.5, 1, 2, 4, 8, 16, 32, 60, 60]):
        waits = [backoff(f"q{n}", attempt, 0.0) for n in range(64)]
        assert all(longest / 2 <= seconds <= longest for seconds in waits)
        assert len(set(waits)) == 64
        assert sum(waits) / 64 / longest == pytest.approx(0.75, abs=0.09)


def test_the_same_question_waits_the_same():
    assert backoff("q1", 0, 0.0) == backoff("q1", 0, 0.0)
    assert backoff("q1", 0, 20.0) == 20 + backoff("q1", 0, 0.0)


def test_retry_after_as_number_and_as_date():
    assert seconds_after("7") == 7
    assert seconds_after("0.25") == 0.25
    assert 50 < seconds_after(formatdate(time.time() + 60, usegmt=True)) <= 60
    for nothing in (None, "", "soon", "-3", "nan", "inf", formatdate(0, usegmt=True)):
        assert seconds_after(nothing) == 0


def test_proxies_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("http_proxy", "http://other:3128")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert _proxy("https://api.example/v1") == "http://proxy:3128"
    assert _proxy("http://api.example/v1") == "http://other:3128"
    for near in ("https://inside.example/v1", "http://localhost:8000/v1", "http://[::1]:8000/v1"):
        assert _proxy(near) is None
