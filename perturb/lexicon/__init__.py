"""The embedded lexicon: WordNet, inflection and part of speech, read as arrays. Private."""
