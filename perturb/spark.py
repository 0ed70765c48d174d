"""Perturb files on a cluster of Spark, with the bytes and the manifest of one machine."""

from perturb.integrations.clusters import SPARK

__all__ = ["augment"]

augment = SPARK.augment
