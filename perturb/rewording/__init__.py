"""Rewordings of texts by a model: asked for, checked, signed off, and kept in a table. Private."""
