"""The engine: batches of texts, the places in them, and the edits made there."""
