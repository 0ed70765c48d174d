"""The contract of every perturbator, on this one."""

import perturb_shout

import perturb


def test_contract() -> None:
    """It keeps what every perturbator promises."""
    perturb.testing.check_perturbator(perturb_shout.shout)


def test_it_shouts() -> None:
    """At p = 1 every word is in capitals."""
    assert str(perturb.apply("keep calm", perturb_shout.shout, p=1.0)) == "KEEP CALM"
