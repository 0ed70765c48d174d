"""Taggers for the tests of the hook."""


def all_nouns(words):
    return ["NN"] * len(words)


def present_verbs(words):
    return ["VBP" if word == "purchase" else "DT" for word in words]


def too_few(words):
    return words[1:]
