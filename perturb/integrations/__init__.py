"""Other libraries' interfaces, each in a module of its own."""

__all__ = ["sklearn", "spacy", "torch", "weave"]
