"""Perturb files on a cluster of Ray, with the bytes and the manifest of one machine."""

from perturb.integrations.clusters import RAY

__all__ = ["augment"]

augment = RAY.augment
