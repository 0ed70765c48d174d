"""Files: rows in and out, compression, manifests. Nothing here knows how a text is perturbed.

Private.
"""
