"""Other libraries' interfaces, each in a module of its own."""

__all__ = "inspect_ai sentence_transformers sklearn spacy tools torch transformers weave".split()
