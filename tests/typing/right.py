"""Calls that a type checker accepts, as a user's own module has them."""

from collections.abc import Iterator

import regex

import perturb
from perturb.engine import Batch, Chosen, Sites, Strings, repeated

record: perturb.Record = perturb.apply("a text", "ocr", p=0.1, seed=3, severity=None)
records: list[perturb.Record] = perturb.apply(
    ["a", "b"], ["ocr:p=0.1", perturb.one_of(["case", "ocr"])], id=[1, "b"], protect=["url"]
)
drawn: perturb.RecordList = perturb.apply((text for text in ["a", "b"]), "ocr")
unique = perturb.apply({"a": 1}.keys(), "ocr", id=["a"])
strong = perturb.apply("a", "ocr", severity=3, span_policy="drop", spans=[(0, 1)], per=None)
scoped = perturb.apply("a", "ocr", intensity="very_low", protect=(0, 1), only=regex.compile("a"))
layout = perturb.apply("a", "keyboard_typos:layout=de", 0.1, per="word", replicate=2)
step: perturb.Step = perturb.steps.keyboard_typos(0.05, layout="de", max_edits=3)
stepped = perturb.apply("a", step, seed=1)
several = perturb.apply(["a"], [perturb.steps.synonym(severity=3, profile="all"), "case", step])
alias = perturb.Pipeline.of([perturb.steps.qwerty(count=1), perturb.steps.random_OCR()])
step_name: perturb.steps.StepName = "keyboard_typos"
edit: perturb.Edit = record.edits[0]
removed: str = edit.removed
spans: tuple[tuple[int, int] | None, ...] = record.spans
said: tuple[str, str, str] = record.condition, record.expect, record.recipe
row: dict[str, object] = perturb.restored(record.to_dict())

perturb.Transform(perturb.steps.ocr(p=0.1), field="question")
rows: Iterator[dict[str, object]] = perturb.augment(
    [{"text": "a"}], perturb.grid(["ocr"], p=[0.1, 0.2]), intensity=None, replicates=2
)
several_fields = perturb.augment(
    [{"a": "a", "b": "b"}],
    "ocr",
    field=["a", "b"],
    target="c",
    spans=["a=d"],
    expect={"ocr": "same"},
)
pipeline: perturb.Pipeline = perturb.Pipeline.of("ocr case", p=0.2)
names: list[str] = perturb.names(language="de", max_risk="low", keeps="digits", expect="same")
version: str = perturb.__version__
low: float = perturb.robustness.cohens_h(0.9, 0.8)


@perturb.perturbator(
    "typed_drop", unit="character", summary="Drop vowels.", label_risk="low", touches={"letters"}
)
def typed_drop(batch: Batch, *, vowels: str = "aeiou") -> Sites:
    """Drop vowels."""
    return batch.sites_where(vowels)


@perturb.perturbator("typed_x", unit="character", summary="Write x.", label_risk="low")
def typed_x(batch: Batch) -> Sites:
    """Write x for vowels."""

    def write(chosen: Chosen) -> Strings:
        return repeated("x", len(chosen))

    return batch.sites_where("aeiou", write)


@perturb.perturbator("typed_loud", unit="word", summary="Shout.", label_risk="low")
def typed_loud(word: str) -> str:
    """Shout."""
    return word.upper()


def shout(match: regex.Match[str], random: perturb.KeyedRandom) -> str:
    """Write an exclamation mark or several."""
    return "!" * (1 + random.below(3))


dropped: perturb.Record = perturb.apply("a", {"name": "typed_drop", "vowels": "y"})
made: perturb.Perturbator = perturb.from_regex("typed_shout", r"[.!]", shout)
plain = perturb.from_regex("typed_and", "and", "&", languages=("en",), expect="same")
perturb.testing.check_perturbator(made)
