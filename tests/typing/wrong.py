"""Calls that a type checker refuses: each line that is marked has an error, and no other."""

import perturb
from perturb.engine import Batch

perturb.aply("a", "ocr")  # wrong
perturb.nonsense  # wrong  # noqa: B018
perturb.apply(3, "ocr")  # wrong
perturb.apply("a", 0.05)  # wrong
perturb.apply("a", "ocr", p="0.1")  # wrong
perturb.apply("a", "ocr", seed="three")  # wrong
perturb.apply("a", "ocr", severity="high")  # wrong
perturb.apply("a", "ocr", severity=7)  # wrong
perturb.apply("a", "ocr", intensity="mild")  # wrong
perturb.apply("a", "ocr", span_policy="nope")  # wrong
perturb.apply("a", "ocr", count="3")  # wrong
perturb.apply("a", "ocr", protect=3)  # wrong
perturb.apply(["a"], "ocr", seed="three")  # wrong
perturb.apply(["a"], "ocr", id=3)  # wrong
perturb.apply(["a"], "ocr").text  # wrong  # noqa: B018
perturb.apply("a", "ocr").txt  # wrong  # noqa: B018
perturb.apply("a", "ocr").reason  # wrong  # noqa: B018
perturb.apply("a", "ocr", layout="de")  # wrong
perturb.apply("a", "ocr", per="letter")  # wrong
perturb.augment([{"text": "a"}], "ocr", spans_field="x")  # wrong
perturb.augment([{"text": "a"}], "ocr", expect="equal")  # wrong
perturb.augment([{"text": "a"}], "ocr", field=3)  # wrong
perturb.Transform("ocr", compact=True)  # wrong
perturb.augment([{"text": "a"}], "ocr", span_policy="nope")  # wrong
perturb.augment([{"text": "a"}], "ocr", replicates="2")  # wrong
perturb.Transform("ocr", span_policy="nope")  # wrong
perturb.Transform("ocr", missing="drop")  # wrong
perturb.Transform("ocr", severity="high")  # wrong
perturb.Transform("ocr", intensity="mild")  # wrong
perturb.Transform("ocr", protect=3)  # wrong
perturb.grid(["ocr"], intensity="mild")  # wrong
perturb.grid(["ocr"], severity=[9])  # wrong
perturb.steps.keyboard_typoss(p=0.1)  # wrong
perturb.steps.keyboard_typos(layuot="de")  # wrong
perturb.steps.keyboard_typos(0.1, "de")  # wrong
perturb.steps.keyboard_typos(p="0.1")  # wrong
perturb.steps.keyboard_typos(layout=3)  # wrong
perturb.steps.qwerty(digits=True)  # wrong
perturb.steps.ocr(severity=7)  # wrong
perturb.steps.ocr(intensity="mild")  # wrong
perturb.steps.ocr(max_edits="3")  # wrong
perturb.steps.synonym(profile="everything")  # wrong
perturb.apply("a", perturb.steps.caes(p=0.1))  # wrong
perturb.apply(["a"], perturb.steps.case(style="loud"))  # wrong
perturb.apply("a", perturb.steps.ocr)  # wrong
perturb.augment([{"text": "a"}], perturb.steps.ocr(severity=0))  # wrong
perturb.Transform(perturb.steps.ocr(sevrity=1))  # wrong
step_name: perturb.steps.StepName = "caes"  # wrong
perturb.names(expect="equal")  # wrong
perturb.from_function("typed_wrong", str.upper, expect="changed")  # wrong
perturb.from_regex("typed_wrong", "a", 3)  # wrong
perturb.from_regex("typed_wrong", "a", lambda match: "b")  # wrong
perturb.names(keeps="numbers")  # wrong
perturb.robustness.nonsense  # wrong  # noqa: B018
perturb.perturbator("typed_wrong", unit="word", summary="Wrong.", label_risk="grave")  # wrong
perturb.perturbator("typed_wrong", unit="word", summary="", label_risk="low", expect="")  # wrong


@perturb.perturbator("typed_wrong", unit="word", summary="Wrong.", label_risk="low")  # wrong
def typed_wrong(batch: Batch) -> int:
    """Return no sites."""
    return len(batch.texts)
