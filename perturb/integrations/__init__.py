"""Other libraries' interfaces, each in a module of its own."""

__all__ = ["inspect_ai", "sklearn", "spacy", "tools", "torch", "weave"]
