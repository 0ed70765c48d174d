"""Ask a system the questions of many rows, and keep every answer.

The way of a question: rows -> questions -> asking (endpoint, command, function) -> journal -> rows.
What comes of the answers is no matter of this package but of `perturb.robustness`, by whose name
`evaluate` is called.
"""
