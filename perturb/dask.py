"""Perturb files on a cluster of Dask, with the bytes and the manifest of one machine."""

from perturb.integrations.clusters import DASK

__all__ = ["augment"]

augment = DASK.augment
