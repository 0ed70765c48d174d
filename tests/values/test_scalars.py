"""Numbers of NumPy and others at every door: as those of Python; and what is no number."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import orjson
import pytest

import perturb
from perturb import robustness
from perturb.errors import UsageError
from perturb.evaluation import minimal_edits, worst_case
from perturb.evaluation.questions import checked_seeds
from perturb.pipeline.specs import make_step
from perturb.values.fields import checked_real, checked_whole, plain

TEXT = "The quick brown fox jumps over the lazy dog"
ROWS = [{"id": n, "text": f"ten red hens {n}"} for n in range(12)]
JUDGED = [
    row | {"score": float(n % 5 > 0)}
    for n, row in enumerate(
        perturb.augment(ROWS, perturb.grid(["ocr:p=0.1", "ocr:p=0.4"]), with_original=True)
    )
]
METRICS = {"score": {"threshold": 0.5}}


def reads(text):
    return "fox" in text


def applied(**options):
    return perturb.apply(TEXT, "char_delete", **options).to_dict()


# Calls with whole numbers, made by the first argument, and with others, made by the second.
CALLS = {
    "p": lambda _, real: applied(p=real(0.25)),
    "p of 1": lambda whole, _: applied(p=whole(1)),
    "seed": lambda whole, _: applied(p=0.5, seed=whole(7)),
    "count": lambda whole, _: applied(count=whole(3)),
    "severity": lambda whole, _: applied(severity=whole(3)),
    "replicate and id": lambda whole, _: applied(p=0.5, replicate=whole(2), id=whole(5)),
    "spans": lambda whole, _: perturb.apply(TEXT, "ocr", spans=[(whole(1), whole(9))]).spans,
    "protect": lambda whole, _: applied(p=1.0, protect=(whole(4), whole(9))),
    "only": lambda whole, _: applied(p=1.0, only=[(whole(4), whole(9)), "word:dog"]),
    "ids": lambda whole, _: [
        one.to_dict() for one in perturb.apply([TEXT, "b"], "ocr", id=[whole(1), whole(0)])
    ],
    "settings": lambda whole, real: perturb.steps.ocr(
        p=real(0.5), min_edits=whole(1), max_edits=whole(9), spread=real(0.5), skip_first=whole(1)
    ),
    "a mapping": lambda whole, real: make_step({"name": "ocr", "p": real(0.5), "min_edits": whole(1)}),
    "a parameter": lambda whole, _: perturb.steps.number_shift(limit=whole(3))
    if "number_shift" in perturb.names() else None,
    "one_of": lambda whole, real: perturb.one_of(["ocr", "case"], [whole(1), real(0.5)]),
    "some_of": lambda whole, _: perturb.some_of(whole(1), ["ocr", "case"]),
    "sometimes": lambda _, real: perturb.sometimes(real(0.5), "ocr"),
    "grid": lambda _, real: perturb.grid(["ocr", "case"], p=[real(0.25), real(0.5)]),
    "augment": lambda whole, real: [
        *perturb.augment(ROWS, "ocr", p=real(0.5), replicates=whole(2), seed=whole(3))
    ],
    "an id in a row": lambda whole, _: [*perturb.augment([{"id": whole(3), "text": TEXT}], "ocr")],
    "Transform": lambda whole, real: perturb.Transform("ocr", p=real(0.5), replicates=whole(2))
    .epoch(whole(1))(ROWS),
    "score": lambda whole, real: robustness.score(
        JUDGED, metrics=METRICS, margin=real(0.25), at_least=real(0.125)
    ).to_dict(),
    "a threshold": lambda _, real: robustness.score(
        JUDGED, metrics={"score": {"threshold": real(0.5)}}
    ).to_dict(),
    "compare": lambda _, real: robustness.compare(
        JUDGED, JUDGED, metrics=METRICS, margin=real(0.25)
    ).to_dict(),
    "compare several": lambda _, real: robustness.compare(
        dict.fromkeys("abc", JUDGED), metrics=METRICS, margin=real(0.25), lose=real(0.125)
    ).to_dict(),
    "tolerance": lambda _, real: robustness.tolerance(
        JUDGED, metrics=METRICS, lose=real(0.125)
    ).to_dict(),
    "power": lambda whole, real: robustness.power(
        accuracy=real(0.75), flips=real(0.125), clustering=real(0.5), versions=whole(2),
        conditions=whole(2), originals=whole(90), margin=real(0.03125), drop=real(0.0625),
        lose=real(0.125), width=real(0.5), power=real(0.75),
    ).to_dict(),
    "metric_flip": lambda _, real: robustness.metric_flip(real(0.25), real(0.75), real(0.5)),
    "an effect": lambda _, real: robustness.interpret_cohens_d(real(0.5)),
    "worst_case": lambda whole, real: worst_case(
        reads, TEXT, "char_delete", whole(8), p=real(0.25), seed=whole(3), id=whole(4)
    ),
    "minimal_edits": lambda whole, _: minimal_edits(
        reads, perturb.apply(TEXT, "char_delete", p=0.9), budget=whole(40), repeats=whole(1)
    ),
    "seeds": lambda whole, _: checked_seeds([whole(1), whole(2)]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [(np.int64, np.float64), (np.uint8, np.float32), (np.array,) * 2])
@pytest.mark.parametrize("name", CALLS)
def test_numbers_of_numpy_are_numbers(name, kinds) -> None:
    """The result is the same to its last sign, and JSON where that of Python's numbers is."""
    got, wanted = CALLS[name](*kinds), CALLS[name](int, float)
    assert got == wanted
    assert repr(got) == repr(wanted)
    if isinstance(wanted, dict):
        assert orjson.dumps(got) == orjson.dumps(wanted)


def test_an_array_is_a_list_of_numbers() -> None:
    assert perturb.grid(["ocr"], p=np.array([0.25, 0.5])) == perturb.grid(["ocr"], p=[0.25, 0.5])
    assert perturb.one_of(["ocr", "case"], np.array([1, 2])) == perturb.one_of(
        ["ocr", "case"], [1, 2]
    )
    assert applied(p=1.0, protect=np.array([[4, 9]])) == applied(p=1.0, protect=[(4, 9)])
    ids = np.arange(2)
    assert [one.original_id for one in perturb.apply(["a", "b"], "ocr", id=ids)] == ["0", "1"]


@pytest.mark.parametrize("true", [True, np.bool_(True)])
@pytest.mark.parametrize(
    "call",
    [
        lambda true: applied(p=true),
        lambda true: applied(seed=true),
        lambda true: applied(count=true),
        lambda true: applied(severity=true),
        lambda true: applied(id=true),
        lambda true: applied(p=0.5, replicate=true),
        lambda true: perturb.some_of(true, ["ocr", "case"]),
        lambda true: perturb.sometimes(true, "ocr"),
        lambda true: perturb.one_of(["ocr", "case"], [true, 2]),
        lambda true: robustness.score(JUDGED, metrics=METRICS, margin=true),
        lambda true: robustness.tolerance(JUDGED, metrics=METRICS, lose=true),
        lambda true: perturb.Transform("ocr").epoch(true),
    ],
)
def test_true_is_no_number(call, true) -> None:
    with pytest.raises((TypeError, UsageError)):
        call(true)


def test_a_switch_takes_true_of_numpy() -> None:
    made = perturb.augment(ROWS[:1], "char_replace:digits=true", lean=np.bool_(True))
    assert "--lean" in next(made)["perturbation"]["recipe"]
    assert str(perturb.steps.char_replace(digits=np.bool_(True))).endswith("digits=true")


@pytest.mark.parametrize(
    ("value", "wanted"),
    [(Decimal("0.5"), 0.5), (Fraction(1, 2), 0.5), (np.longdouble(0.5), 0.5), (np.str_("a"), "a"),
     (None, None), ("3", "3"), (np.int64, np.int64)],
)  # fmt: skip
def test_what_is_plain(value, wanted) -> None:
    assert plain(value) == wanted
    assert type(plain(value)) is type(wanted)


def test_what_is_out_of_range_is_said() -> None:
    with pytest.raises(TypeError, match=r"n must be a whole number; got array\(\[1\]\)"):
        checked_whole("n", np.array([1]))
    with pytest.raises(UsageError, match="n must be at most 3; got 4"):
        checked_whole("n", np.int8(4), 0, 3)
    with pytest.raises(UsageError, match="x must be a share; got nan"):
        checked_real("x", np.float32("nan"), "a share", 0, 1)
