"""The engine: batches of texts, sites, choice, edits. It knows no perturbator by name.

The way of a batch: `Batch -> sites -> choose -> write -> Edits -> apply`. Each arrow is one module
and nothing flows back.
"""
