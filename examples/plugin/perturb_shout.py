"""Write words in capitals."""

import perturb


@perturb.perturbator(
    "shout", unit="word", summary="Write a word in capitals.", label_risk="low", touches=["case"]
)
def shout(word: str) -> str:
    """Write a word in capitals."""
    return word.upper()
