"""Patterns of the caller's end, whatever they are and wherever they are given."""

import pytest

import perturb
from perturb import user_patterns
from perturb.robustness.grading.matches import last_match

ENDLESS = ["(?R)", "x?(?R)", "(?:a|(?R))+", "(?<name>(?&name))", "(?<name>(?P>name))", "((?1))"]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ENDLESS)
def test_a_pattern_that_calls_itself_without_end_is_refused(pattern) -> None:
    """It is before any text is read, and before it has taken much memory."""
    for use in (
        lambda: perturb.apply("a", "case", protect=f"regex:{pattern}"),
        lambda: perturb.from_regex("again", pattern, "b"),
        lambda: last_match(pattern),
    ):
        with pytest.raises(perturb.UsageError, match="calls itself without end"):
            use()


def test_a_pattern_that_calls_itself_for_what_is_nested_is_taken() -> None:
    nested = r"\((?:[^()]|(?R))*\)"
    assert [
        match[0]
        for match in user_patterns.matches(user_patterns.compiled(nested), "a (b (c) d) (e")
    ] == ["(b (c) d)"]
    text = "abc (def (ghi)) jkl"
    record = perturb.apply(text, "case", p=1.0, protect=f"regex:{nested}")
    assert record.text == "ABC (def (ghi)) JKL"


def test_an_answer_is_not_looked_for_without_end(monkeypatch) -> None:
    """The pattern tries all ways to cut the text: 2**27 of them."""
    monkeypatch.setattr(user_patterns, "TIMEOUT", 0.01)
    find = last_match(r"(a|aa)+$")
    assert find("aaa") == "a"
    with pytest.raises(perturb.DataError, match=r"took more than 0\.01 s on the text 'aaa"):
        find("a" * 40 + "c")


def test_a_text_is_waited_for_once(monkeypatch) -> None:
    """Rows that failed together are tried one by one, which does not take the time again."""
    monkeypatch.setattr(user_patterns, "TIMEOUT", 0.01)
    tried = []

    class Counted:
        """A pattern that takes too long on one text."""

        pattern = "counted"

        def finditer(self, text, timeout):
            tried.append(text)
            if text == "slow":
                raise TimeoutError
            return iter([text])

    counted = Counted()
    assert list(user_patterns.matches(counted, "fast")) == ["fast"]
    for _ in range(3):
        with pytest.raises(perturb.DataError, match="took more than"):
            list(user_patterns.matches(counted, "slow"))
    assert list(user_patterns.matches(counted, "fast")) == ["fast"]
    assert tried == ["fast", "slow", "fast"]


def test_a_pattern_is_given_up_after_some_texts(monkeypatch) -> None:
    """A file of rows that are left out when they are wrong would take the time for each row."""
    monkeypatch.setattr(user_patterns, "TIMEOUT", 0.01)
    rule = r"regex:(b|bb)+$"
    texts = [f"{number} " + "b" * 40 + "c" for number in range(5)]
    for text in texts[:3]:
        with pytest.raises(perturb.DataError, match=r"took more than 0\.01 s on the text"):
            perturb.apply(text, "case", p=1.0, protect=rule)
    for text in texts[3:]:
        with pytest.raises(perturb.UsageError, match="on each of 3 texts"):
            perturb.apply(text, "case", p=1.0, protect=rule)
