"""The texts that a perturbator makes when it takes every site."""

import perturb


def all_of(spec, text, **more):
    """Return the text that one draw makes."""
    return perturb.apply(text, spec, p=1.0, **more).text


def some_of(spec, text, count=60, **more):
    """Return the texts that so many draws make, in one run of the engine."""
    made = perturb.apply([text] * count, spec, p=1.0, id=list(range(count)), **more)
    return {one.text for one in made}
