"""Recipes: every job as text that is read back as the same job, and the refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import perturb
from perturb._version import CONTRACT
from perturb.errors import DataError, UsageError
from perturb.pipeline.grammar import quoted_label
from perturb.pipeline.pipeline import grid
from perturb.plan import recipe
from perturb.plan.job import SpanSource, job_of
from perturb.plan.recipe_text import cut, only_step, read_options, split
from perturb.registry.definition import EXPECTS

PIPELINES = [
    "ocr",
    "char_delete:p=0.1,fill=X",
    'char_delete:p=0.1,fill="\u2028\x85"',
    'char_delete:p=0.05,fill="a, b"',
    'char_delete:p=1,fill=" --seed 3 "',
    'char_replace:p=0.5,alphabet="x\\"y@1 | (é"',
    "keyboard_typos:count=3,layout=de",
    "keyboard_typos:p=0.2,per=word,where=inner",
    "synonym:severity=2 case:intensity=high",
    "one_of(ocr:p=0.1 | 2*case:p=0.3 word_swap:p=1)",
    "sometimes(0.5, some_of(1-2, case:p=1 | ocr:p=0.2)) yz_swap:p=1",
    "qwerty:p=0.3",
]
labels = st.text(st.sampled_from([*'ab0 =|()",:\\@%é😀'])) | st.text(st.characters(codec="utf-8"))
names = st.text(st.sampled_from([*'ab0 "\\@%é=-'])).map(lambda text: f"x{text.strip()}")


def in_order(rule) -> int:
    """Rules are written in this order, which means nothing: patterns, offsets, fields."""
    return 1 if isinstance(rule, tuple) else 2 if rule.startswith("field:") else 0


rules = st.lists(
    st.sampled_from(["url", "number", "word:it's", "field:spans", "regex:[a-z]+ \\d", (3, 7)])
    | labels.map(lambda text: f"word:x{text}"),
    max_size=4,
    unique=True,
).map(lambda given: sorted(given, key=in_order))


@st.composite
def jobs(draw):
    """What makes a job; it is made in the test, since modules are loaded by it."""
    cells = draw(st.lists(st.sampled_from(PIPELINES), min_size=1, max_size=3, unique=True))
    own = draw(
        st.lists(
            labels.filter(str.strip),
            unique_by=lambda text: " ".join(text.split()),
            min_size=3,
            max_size=3,
        )
    )
    steps = cells[0]
    if len(cells) > 1 or draw(st.booleans()):
        named = draw(st.booleans())
        steps = [
            f"{quoted_label(own[n])}={cell}" if named else cell for n, cell in enumerate(cells)
        ]
    options = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "field": st.lists(names, min_size=1, max_size=3, unique=True),
                "protect": rules,
                "only": rules.filter(bool),
                "span_policy": st.sampled_from(["grow", "drop", "refuse"]),
                "id_field": names.map("id{}".format),
                "seed": st.integers(-(2**63), 2**63 - 1),
                "replicates": st.integers(1, 9),
                "first_replicate": st.integers(0, 99),
                "with_original": st.booleans(),
                "lean": st.booleans(),
                "expect": st.sampled_from(EXPECTS),
            },
        )
    )
    fields = options.get("field", ["text"])
    options["spans"] = draw(
        st.lists(st.sampled_from(["labels", *(f"{one}=labels" for one in fields)]), max_size=2)
    )
    options["target"] = draw(st.lists(st.sampled_from(["gold", "a[*].b", "y[k=v]"]), unique=True))
    return lambda: job_of(grid(steps) if isinstance(steps, list) else steps, **options)


@pytest.mark.slow
@given(st.data())
def test_every_job_is_read_back(data) -> None:
    """On one line; and each version by its own recipe, with its label from beside it."""
    try:
        job = data.draw(jobs())()
    except UsageError:  # names of fields that are no paths, or two labels that are one
        return
    text = recipe.written(job)
    assert recipe.read(text) == job
    assert text.endswith(f" --contract {CONTRACT}")
    assert len(text.splitlines()) == 1
    for version in job.versions:
        again = recipe.read(version.recipe)
        (condition,) = again.conditions
        assert condition.pipeline == version.condition.pipeline
        assert condition.expect == version.condition.expect
        assert (again.first_replicate, again.replicates) == (version.replicate, 1)
        assert again.replaced(
            conditions=job.conditions, first_replicate=job.first_replicate,
            replicates=job.replicates, with_original=job.with_original,
        ) == job  # fmt: skip
        read = read_options(version.recipe)
        assert (read["field"], read["target"]) == (job.field, job.target)
        assert (read["id_field"], read["replicate"]) == (job.id_field, version.replicate)
        assert read["seed"] == job.seed
    assert not recipe.read(recipe.written_original(job)).conditions


@pytest.mark.parametrize("label", ["[", "[x", "a(b", "[=same", "same", "a=b", '"', "="])
def test_an_expectation_finds_its_label(label) -> None:
    """Whatever signs stand in it."""
    steps = grid([f"{quoted_label(label)}=ocr", "typo_mix"])
    job = job_of(steps, expect={label: "other"})
    assert recipe.read(recipe.written(job)) == job


def test_a_recipe_is_what_one_would_type() -> None:
    job = job_of(
        "ocr", p=0.1, field=["question", "context"], seed=7, target="a b", lean=True,
        protect=["url", (3, 5)], spans="context=spans", expect="mapped", replicates=2,
    )  # fmt: skip
    version = perturb.describe("ocr")["version"]
    shared = (
        '--field question --field context --target "a b" --spans context=spans --protect url '
        "--protect 3-5 --seed 7"
    )
    assert recipe.written(job) == (
        f"ocr@{version}:p=0.1,spread=1.11 {shared} --replicates 2 --lean --expect mapped --contract {CONTRACT}"
    )
    assert [one.recipe for one in job.versions] == [
        f"ocr@{version}:p=0.1,spread=1.11 {shared} --lean --expect mapped{number} --contract {CONTRACT}"
        for number in ("", " --replicate 1")
    ]
    assert recipe.written_original(job) == (
        f'--field question --field context --target "a b" --lean --contract {CONTRACT}'
    )


def test_conditions_are_named_where_their_steps_are_not_their_names() -> None:
    job = job_of(
        grid(["a b=ocr:p=0.1".replace("a b", '"a b"'), "case:p=0.5"]), expect={"a b": "other"}
    )
    assert recipe.written(job) == (
        f'grid("a b"=ocr@{perturb.describe("ocr")["version"]}:p=0.1,spread=1.11 | '
        f"case@{perturb.describe('case')['version']}:p=0.5) "
        f'--expect "\\"a b\\"=other" --contract {CONTRACT}'
    )
    assert recipe.read(recipe.written(job)) == job


WORDS = [f"word:{'w' * (n % 7)}{n} é" for n in range(5_000)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["protect", "only"])
def test_long_rules_stand_in_the_manifest_alone(name) -> None:
    """A row has their hash, by which it is told from a row of other rules."""
    job, other = (job_of("ocr", **{name: words}) for words in (WORDS, WORDS[:-1]))
    assert recipe.read(recipe.written(job)) == job
    (version,), (another,) = job.versions, other.versions
    assert len(version.recipe) < 100
    assert version.recipe != another.recipe
    with pytest.raises(
        DataError, match=f"the rules of --{name} are too long for a record, so only the manifest"
    ):
        recipe.read(version.recipe)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("ocr", DataError, "the recipe 'ocr' names no contract, as the text under 'recipe'"),
        ("ocr --contract 2", DataError, "has contract 2, but this release makes"),
        ('ocr --field "a --contract 4', UsageError, r"can't read \"a after --field"),
        ('char_delete:fill="a --contract 4', UsageError, "a quote isn't closed"),
        ("ocr --sead 3 --contract 4", UsageError, "did you mean --seed"),
        ("ocr --seed --contract", UsageError, "--seed needs a whole number"),
        ("ocr --seed x --contract 4", UsageError, "--seed needs a whole number; got 'x'"),
        ("ocr --contract", UsageError, "--contract of a recipe needs a value"),
        ("ocr --seed 3 --seed 3 --contract 4", UsageError, "--seed of a recipe is given twice"),
        ("ocr@99:p=0.1 --contract 4", UsageError, "the step needs version 99"),
        ("orc:p=0.1 --contract 4", UsageError, "did you mean ocr"),
        ("ocr --expect equal --contract 4", UsageError, "expect must be one of"),
        ("ocr --span-policy shrink --contract 4", UsageError, "span_policy must be one of"),
    ],
)
def test_what_is_wrong_is_said(text, error, message) -> None:
    with pytest.raises(error, match=message):
        recipe.read(text)


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("labels", ("", "labels")),
        ("context=labels", ("context", "labels")),
        ("a[k=v].b=c[x=y]", ("a[k=v].b", "c[x=y]")),
        ("c[x=y]", ("", "c[x=y]")),
        ('"a=b"=other', ('"a=b"', "other")),
        ('"a\\"=b"=other', ('"a\\"=b"', "other")),
        ('"\\\\"=other', ('"\\\\"', "other")),
        ("a==b", ("a", "=b")),
        ("f(x=1)=y", ("f(x=1)", "y")),
    ],
)
def test_a_name_is_cut_off_outside_brackets_and_quotes(spec, parts) -> None:
    assert cut(spec) == parts
    if '"' not in spec:
        assert str(SpanSource.of(spec)) == spec


def test_a_recipe_is_taken_apart_without_making_its_steps() -> None:
    """Also where a step of it is not known here."""
    text = 'unknown@4:p=0.1,fill="a --b" --field "x y" --replicate 2 --contract 4'
    assert split(text) == (
        'unknown@4:p=0.1,fill="a --b"', {"field": ("x y",), "replicate": 2, "contract": 4}
    )  # fmt: skip
    step = only_step(text)
    assert (step.name, step.version) == ("unknown", 4)
    assert step.settings == {"p": "0.1", "fill": '"a --b"'}
    assert only_step("ocr@1:p=1 case@1:p=1 --contract 4") is None
    assert only_step("one_of(ocr@1:p=1) --contract 4") is None
