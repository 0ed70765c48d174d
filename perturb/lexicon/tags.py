"""The tags and word classes of the lexicon, and the numbers they have in its arrays."""

# Index = the number in a tag array; 0 says "leave this word alone".
TAGS = (
    "-", "NN", "NNS", "VB", "VBZ", "VBD", "VBN", "VBG", "JJ", "JJR", "JJS", "RB", "RBR", "RBS",
)  # fmt: skip
TAG = {name: number for number, name in enumerate(TAGS)}
# Parts of speech in the order of their columns, and the tags of each.
POS = ("noun", "verb", "adjective", "adverb")
NOUN, VERB, ADJECTIVE, ADVERB = range(4)
# The part of speech of a neighbour that is a name, and of one that has none.
NAME, NOBODY = 4, -1
POS_TAGS = (
    ("NN", "NNS"),
    ("VB", "VBZ", "VBD", "VBN", "VBG"),
    ("JJ", "JJR", "JJS"),
    ("RB", "RBR", "RBS"),
)
WIDTHS = tuple(len(tags) for tags in POS_TAGS)
# Bits of the masks of possible tags, in the order of `POS_TAGS`.
NN, NNS = 1, 2
VB, VBZ, VBD, VBN, VBG = 1, 2, 4, 8, 16
JJR = 2
# First tag number of each part of speech.
FIRST_TAG = tuple(TAG[tags[0]] for tags in POS_TAGS)

# Classes of `wordlists/english/stop_words.tsv`, one bit each, then two facts about any word.
CLASSES = (
    "determiner", "singular", "plural", "possessive", "pronoun", "subject", "object", "modal",
    "do", "be", "have", "negation", "to", "preposition", "particle", "conjunction", "adverb",
    "question", "degree", "interjection", "verb", "number", "name", "vowel",
)  # fmt: skip
BIT = {name: 1 << number for number, name in enumerate(CLASSES)}
# A word with any of the bits below these two is a function word and has no tag.
FUNCTION_BITS = BIT["name"] - 1

# Marks of a pair.
COMMON = 1
MULTIWORD = 2
RELATIONS = ("synonyms", "antonyms", "hypernyms")
