"""Descriptions of the built-in perturbators from a table, so that none has to be loaded.

`python scripts/described.py` writes the table: the result of `describe` for each, as lines of JSON.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from perturb.boundary import read_whole
from perturb.registry.definition import (
    ANY,
    EXPECTS,
    LABEL_RISKS,
    SETTINGS,
    checked_languages,
    checked_touches,
    scripts_of_languages,
)
from perturb.resources import folder
from perturb.values.fields import check_word

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

TABLE = folder() / "registry" / "described.jsonl"


@cache
def installed() -> tuple[EntryPoint, ...]:
    """Return the entry points of perturbators; the search reads a file of each package."""
    from importlib.metadata import entry_points  # here, since the import is slow

    return tuple(entry_points(group="perturb.perturbators"))


@cache
def built_in() -> Mapping[str, dict[str, Any]]:
    """Return the descriptions of the built-in perturbators by name; `describe` gives copies."""
    import orjson

    descriptions = [orjson.loads(line) for line in read_whole(TABLE).splitlines()]
    for each in descriptions:
        each["severities"] = {int(key): p for key, p in each["severities"].items()}
    return {each["name"]: each for each in descriptions}


def step_with(setting: str) -> str | None:
    """Return the first built-in step with such a parameter; NAME where every step takes it."""
    if setting in SETTINGS:
        return "NAME"
    return next((name for name, each in built_in().items() if setting in each["parameters"]), None)


def is_written(language: str, languages: Collection[str], scripts: Collection[str]) -> bool:
    """Return whether a perturbator for some languages or scripts can write a language."""
    if language in languages:
        return True
    script = {*scripts_of_languages()[language], *ANY}
    return tuple(languages) == ANY and not script.isdisjoint(scripts)


def chosen(
    described: Iterable[Mapping[str, Any]],
    *,
    language: str | None = None,
    max_risk: str | None = None,
    keeps: str | Collection[str] = (),
    expect: str | None = None,
) -> list[str]:
    """Return the names of described perturbators, sorted; for the arguments see `names`.

    Raises:
        UsageError: an argument isn't a known word.
    """
    untouched = checked_touches("names", (keeps,) if isinstance(keeps, str) else keeps, "keeps")
    if language is not None:
        checked_languages("language", (language,))
    if max_risk is not None:
        check_word("names: max_risk", max_risk, LABEL_RISKS)
    if expect is not None:
        check_word("names: expect", expect, EXPECTS)
    risks = LABEL_RISKS if max_risk is None else LABEL_RISKS[: LABEL_RISKS.index(max_risk) + 1]
    return sorted(
        each["name"]
        for each in described
        if (language is None or is_written(language, each["languages"], each["scripts"]))
        and each["label_risk"] in risks
        and untouched.isdisjoint(each["touches"])
        and expect in (None, each["expect"])
    )
