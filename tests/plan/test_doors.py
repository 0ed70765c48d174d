"""One grammar of options: a job is the same through every door, and as its recipe says it."""

import re
import shlex

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import perturb
from perturb.api import _job
from perturb.cli import job_options
from perturb.cli.parser import parsed
from perturb.engine.rules import _quoted
from perturb.errors import UsageError
from perturb.plan import recipe
from perturb.plan.arguments import Noise
from perturb.plan.job import job_of
from perturb.plan.options import OPTIONS, to_words
from perturb.plan.recipe_text import joined, split
from perturb.registry.definition import EXPECTS, MISSING, SPAN_POLICIES

STEPS = [
    "ocr",
    "char_delete:p=1.0",
    'char_delete:p=0.05,fill="a, b"',
    "keyboard_typos:count=3,layout=de",
    "synonym:severity=2 case:intensity=high",
    "one_of(ocr:p=0.1 | 2*case:p=0.3 word_swap:p=1)",
    "sometimes(0.5, some_of(1-2, case:p=1 | ocr:p=0.2))",
    "grid(ocr | noisy=case:p=0.1)",
    'grid("a=b"=ocr | "same"=case:p=0.1)',
]
LABELS = {STEPS[-2]: ["ocr", "noisy"], STEPS[-1]: ['"a=b"', "same"]}
words = st.text(st.sampled_from([*"ab 1,\"\\'|=:;-é😀\n"]), min_size=1, max_size=8)
quoted = words.map(lambda word: _quoted(word) if word.strip() else "x")
rules = st.one_of(
    st.lists(st.sampled_from(["url", "number", " email", "latex", "3-7", "0-1"]), min_size=1)
    .map(",".join),
    st.lists(st.sampled_from(["the", "not", "1,000", "it's", " a b "]) | quoted, min_size=1)
    .map(",".join).map("word:{}".format),
    st.sampled_from(["regex:a{1,2}, b", r"regex:\d+ %", "field:spans", "field:text=labels"]),
)  # fmt: skip
paths = st.lists(
    st.sampled_from(["question", "a[*].b", "chat[role=user].content", "x y"]),
    min_size=1, max_size=2, unique=True,
)  # fmt: skip
values = {
    "target": st.lists(st.sampled_from(["gold", "y[k=v]"]), unique=True, min_size=1),
    "spans": st.lists(st.sampled_from(["labels", "text=more"]), min_size=1),
    "protect": st.lists(rules, min_size=1, max_size=3),
    "only": st.lists(rules, min_size=1, max_size=2),
    "span_policy": st.sampled_from(SPAN_POLICIES),
    "missing": st.sampled_from(MISSING),
    "id_field": st.sampled_from(["key", "a b"]),
    "seed": st.integers(-(2**63), 2**63 - 1),
    "replicates": st.integers(1, 9),
    "with_original": st.just(True),
    "lean": st.just(True),
}


@st.composite
def jobs(draw):
    """Steps and options as one would type them; a single value is typed as such, or as a list."""
    steps = draw(st.sampled_from(STEPS))
    options = draw(st.fixed_dictionaries({}, optional=values))
    if draw(st.booleans()):
        options["field"] = ["text", *draw(paths)]
    if draw(st.booleans()):
        labels = draw(st.lists(st.sampled_from(["", *LABELS.get(steps, [])]), unique=True))
        options["expect"] = [
            f"{label}={draw(st.sampled_from(EXPECTS))}".removeprefix("=") for label in labels
        ] or ["other"]
    return steps, {
        name: value[0] if isinstance(value, list) and len(value) == 1 and draw(st.booleans())
        else value
        for name, value in options.items()
    }  # fmt: skip


def typed(line):
    """The job of a command line, without its files."""
    _, options = parsed(["apply", *line])
    return job_options.job_of_options(**options)[0]


def job_of_apply(steps, options):
    """The job of `apply`, which takes some of the options."""
    noise = dict.fromkeys(Noise.__annotations__) | {"seed": 0, "span_policy": "grow"} | options
    return _job(steps, None, first_replicate=0, **noise)


def doors(steps, options, folder):
    """The job as each door makes it."""
    yield "augment", lambda: job_of(steps, **options)
    yield "Transform", lambda: perturb.Transform(steps, **options)._job
    yield "command line", lambda: typed([steps, *to_words(options)])
    file = folder / "job.yaml"
    file.write_text(yaml.safe_dump({"steps": [steps], **options}, allow_unicode=True), "utf-8")
    yield "YAML", lambda: typed(["--config", str(file)])
    text = joined(steps, {**options, **{
        name: [options[name]] for name, kind in OPTIONS.items()
        if kind == "texts" and isinstance(options.get(name), str)
    }})  # fmt: skip
    yield "recipe", lambda: recipe.read(text)
    yield "--recipe", lambda: typed(["--recipe", text])
    yield "a recipe as options", lambda: typed(as_options(text))
    if options.keys() <= {"seed", "protect", "only", "span_policy"}:
        yield "apply", lambda: job_of_apply(steps, options)


def as_options(text):
    """A recipe as one types it without --recipe, through a shell."""
    steps, options = split(text)
    line = shlex.join([steps, *to_words(options)])
    return shlex.split(line)


def agreed(steps, options, folder):
    """The job that all doors make, or the kind of refusal that all of them give."""
    found = {}
    for name, make in doors(steps, options, folder):
        try:
            found[name] = make()
        except (UsageError, TypeError):
            found[name] = "refused"
    first = found["augment"]
    different = {name: job for name, job in found.items() if job != first}
    assert not different, f"{steps} {options}: {first} by augment, but {different}"
    return first


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(given=jobs())
def test_every_door_makes_the_same_job(tmp_path, given) -> None:
    """And its recipe is read back as this job, by `read` and as --recipe; so is what is typed."""
    job = agreed(*given, tmp_path)
    if job == "refused":
        return
    text = recipe.written(job)
    assert recipe.read(text) == typed(["--recipe", text]) == job
    again = typed(as_options(text))  # whose labels have the versions of steps, as typed
    if len(job.conditions) == 1:
        assert again.replaced(conditions=job.conditions) == job
        assert again.grid.pipelines == job.grid.pipelines


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("word:the,not", ("word:the", "word:not")),
        ('word:"a, b", c', ('word:"a, b"', "word:c")),
        ("word:1,000", ("word:1,000",)),
        ('word:" x"', ('word:" x"',)),
        ('word:"plain"', ("word:plain",)),
        ('word:say "hi"', ('word:say "hi"',)),
        ("url, number", ("url", "number")),
        ("3-7", ((3, 7),)),
        ("regex:a,b", ("regex:a,b",)),
        (re.compile("a b", re.IGNORECASE), ("regex:(?i:a b)",)),
        (["number", (3, 7), "field:x", "url", "number"], ("number", "url", (3, 7), "field:x")),
        ([[3, 7], [1, 2]], ((3, 7), (1, 2))),
        ((3, 7), ((3, 7),)),
    ],
)
def test_rules_are_read_alike(rule, kept) -> None:
    assert job_of("ocr", protect=rule).protect == job_of("ocr", only=rule).only == kept


def test_a_word_with_a_comma_is_quoted() -> None:
    text = "the dog, a cat, did not go"
    kept = perturb.apply(text, "char_replace", p=1.0, protect='word:"dog, a",not').text
    assert kept[4:10] == "dog, a"
    assert " not " in kept
    assert "did" not in kept
    assert perturb.apply("the dog", "char_delete", p=1.0, protect="word:the,not").text == "the "


@pytest.mark.parametrize("rule", [f"{'1' * 5000}-2", "7-3", (7, 3), (True, 3), (1, 2, 3), "", 5])
def test_what_is_no_rule_is_refused(rule) -> None:
    with pytest.raises(UsageError):
        job_of("ocr", protect=rule)


@pytest.mark.parametrize("rule", ['word:"a', 'word:"a" b', "word:", "word:a,", 'word:"\\x"'])
def test_words_that_can_not_be_read_are_refused(rule) -> None:
    with pytest.raises(UsageError, match=r"in double quotes, as in JSON|unknown protection"):
        job_of("ocr", protect=rule)


def test_an_expectation_is_said_once() -> None:
    with pytest.raises(UsageError, match="expect has two words"):
        job_of("ocr", expect=["same", "other"])
    with pytest.raises(UsageError, match="can't read the label"):
        typed(["ocr", "--expect", '"a=same'])
