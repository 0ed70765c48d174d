"""The contract of every perturbator, on this one."""

import perturb_shout

import perturb


def test_contract() -> None:
    perturb.testing.check_perturbator(perturb_shout.shout)


def test_it_shouts() -> None:
    assert str(perturb.apply("keep calm", perturb_shout.shout, p=1.0)) == "KEEP CALM"
