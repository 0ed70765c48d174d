"""The texts that a perturbator makes when it takes every site."""

import perturb


def all_of(spec, text, seed=0, **more):
    """Return the text that one draw makes."""
    return perturb.apply(text, perturb.Pipeline.of(spec, p=1.0, **more), seed=seed).text


def reason(spec, text):
    """Return the status of a text of which every site is taken."""
    return perturb.apply(text, spec, p=1.0).status


def some_of(spec, text, count=60, **more):
    """Return the texts that so many draws make, in one run of the engine."""
    made = perturb.apply(
        [text] * count, perturb.Pipeline.of(spec, p=1.0, **more), id=list(range(count))
    )
    return {one.text for one in made}


def by_spec(table):
    """Return the cases of a table by step, each behind its step."""
    return [(spec, *case) for spec, cases in table.items() for case in cases]
