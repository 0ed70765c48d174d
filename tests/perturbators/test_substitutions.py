"""What the perturbators on word tables write, and that they find what a slow walk finds."""

import re

import pytest
import rule_misspellings
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all
from spelled import lookup
from taken import all_of, by_spec, some_of

import perturb
from perturb.engine.batch import Batch
from perturb.lexicon.phrases import Phrases
from perturb.perturbators.words import substitutions
from perturb.resources import read_rows

WRITTEN = {
    "contraction": [
        ("I do not know.", "I don't know."),
        ("I don't know.", "I do not know."),
        ("I don’t know.", "I do not know."),
        ("DO NOT go. Do not go.", "DON'T go. Don't go."),
        ("WON'T go. Won't go.", "WILL NOT go. Will not go."),
        ("I am here. i am here. I AM HERE.", "I'm here. i'm here. I'M HERE."),
        ("They've left", "They have left"),
        # By what follows: it is or it has, she would or she had.
        ("it's late, it’s been late, IT'S", "it is late, it has been late, IT'S"),
        ("She's a doctor. It's raining. That's not true. What's the answer?",
         "She is a doctor. It is raining. That is not true. What is the answer?"),
        ("He's already got it. I'd like to go. He'd better. She'd never seen it. THEY'D GO.",
         "He has already got it. I would like to go. He had better. She had never seen it. "
         "THEY WOULD GO."),
        ("It's rained. It's loaded. He'd run. Ann's here. How's he? the dog's bone",
         "It's rained. It's loaded. He'd run. Ann's here. How's he? the dog's bone"),
        ("She is ill.", "She's ill."),
        ("Yes, I am. Yes I am", "Yes, I am. Yes I am"),
        ("He has gone. He has two. They had seen; she has left.",
         "He's gone. He has two. They'd seen; she has left."),
        ("Don't you know? Isn't it? I don't, you know.", "Don't you know? Isn't it? I do not, you know."),
        ("do  not, do\nnot, do_not, do-not", "do  not, do\nnot, do_not, do-not"),
        ("He is not here", "He's not here"),
        ("I wanna go 'cause I want to.", "I wanna go 'cause I want to."),
    ],
    "abbreviation": [
        ("As soon as possible, as far as I know.", "Asap, afaik."),
        ("AS SOON AS POSSIBLE", "ASAP"),
        # The longest: not "be" and "back".
        ("I'll be right back", "I'll brb"),
        ("too long, did not read", "tldr"),
        ("without words", "w/o words"),
        ("your  example", "ur  example"),
    ],
    "abbreviation:direction=expand": [
        ("asap, Btw.", "as soon as possible, By the way."),
        ("w/o words, w/ words", "without words, with words"),
        ("w/words", "w/words"),
        ("e.g. this", "for example this"),
        ("idk, Idk", "I do not know, I do not know"),
        # Common words, numbers, units and single letters may be no abbreviations.
        ("60 km/h for 8 min", "60 km/h for 8 min"),
        ("a hand, 2 u, no. 5, its, 3 cm, Max", "a hand, 2 u, no. 5, its, 3 cm, Max"),
    ],
    "spelling_variant": [
        (
            "The color of Pearl Harbor, by the harbor.",
            "The colour of Pearl Harbor, by the harbour.",
        ),
        ("Harbour Bridge is no harbour.", "Harbour Bridge is no harbor."),
        ("Analyze it. COLOR IT!", "Analyse it. COLOUR IT!"),
        ("the UK Labour Party, the Department of Defense, the Louvre, Moms",) * 2,
        ("Theater Street, Mr. Grey, the World Health Organization",) * 2,
    ],
}  # fmt: skip


@pytest.mark.parametrize(("spec", "before", "after"), by_spec(WRITTEN))
def test_what_is_written(spec, before, after):
    assert all_of(spec, before) == after


def test_contraction_of_one_direction():
    text = "I do not, I can't think so."
    assert all_of("contraction:direction=contract", text) == "I don't, I can't think so."
    assert some_of("contraction:direction=expand", text) == {
        "I do not, I cannot think so.",
        "I do not, I can not think so.",
    }


def test_contraction_informal():
    text = "I wanna go 'cause I can, 'Cause they want to go. You do not know."
    after = "I want to go because I can, Because they wanna go. You dunno."
    assert all_of("contraction:informal=true", text) == after


@pytest.mark.parametrize(
    ("direction", "before", "after"),
    [
        ("both", "The colour of color, CENTER.", "The color of colour, CENTRE."),
        ("us_to_gb", "colour color COLORS", "colour colour COLOURS"),
        ("gb_to_us", "colour color colours", "color color colors"),
        ("us_to_gb", "colorę, kolor", "colorę, kolor"),
    ],
)
def test_spelling_variant(direction, before, after):
    assert all_of(f"spelling_variant:direction={direction}", before) == after


def test_homophone():
    assert some_of("homophone", "There") == {"Their", "They're"}
    assert some_of("homophone:profile=all", "KNIGHT") == {"NIGHT"}
    assert some_of("homophone", "to") == {"too"}
    assert some_of("homophone:profile=all", "I") == {"Aye", "Eye"}
    # The word I is no sign of a capital, but where a sentence begins.
    made = perturb.apply("I? No, I. I mean I do.\nI did (I).", "homophone:profile=all", p=1.0)
    capitals = [word[0].isupper() for word in re.findall("(?i)[ae]ye", made.text)]
    assert capitals == [True, False, True, False, True, False]
    assert "I" in some_of("homophone:profile=all", "eye")
    assert all_of("homophone", "It's its, your you're; whose") == "Its it's, you're your; who's"
    # No two that are told apart, and none that nobody confuses.
    for text in ["in for two years", "cars, balm, bomb, seamen, coming", "Be so or not."]:
        assert some_of("homophone", text) == {text}


def test_homophones_are_drawn_by_how_often_they_are_confused():
    # their: there 20, they're 5. N = 2000, expectation .8, standard deviation .009.
    made = perturb.apply("Their " * 2000, "homophone", p=1, seed=3).text.split()
    assert made.count("There") / 2000 == pytest.approx(0.8, abs=0.04)
    assert some_of("homophone", "there’s thëre thereʼs") == {"there’s thëre thereʼs"}


def test_misspelling():
    assert some_of("misspelling", "A LOT, a lot") == {"ALOT, alot"}
    assert some_of("misspelling", "Friday") == {"Firday"}
    assert some_of("misspelling", "it’s") == {"its"}
    assert some_of("misspelling", "Ancient hammer") == {"Anceint hamer"}
    assert some_of("misspelling:rules=false", "Ancient hammer") == {"Ancient hammer"}


def test_misspellings_by_rules():
    pairs = set(map(tuple, read_rows("english", "rule_misspellings.tsv")))
    for pair in [("client", "cleint"), ("height", "hieght"), ("successful", "sucessful"),
                 ("successful", "succesful"), ("portable", "portible"), ("flexible", "flexable"),
                 ("distance", "distence"), ("sentence", "sentance")]:  # fmt: skip
        assert pair in pairs
    words = {word for word, _ in pairs}
    # Endings, single vowels before "ble", and what would be another word.
    assert not words & {"cities", "studied", "being", "table", "quiet", "dinner", "latter"}
    assert min(map(len, words)) == 5


@pytest.mark.slow
def test_the_table_of_rules_equals_a_rebuild():
    rows = [(word, made) for word, made in read_rows("english", "rule_misspellings.tsv")]
    assert rows == list(dict.fromkeys(rule_misspellings.rule_made()))


def test_no_rule_makes_a_word():
    variants = {word for row in read_rows("english", "spelling_variants.tsv") for word in row}
    wrong = [made for _, made in read_rows("english", "rule_misspellings.tsv")]
    texts = Batch.of(wrong).texts
    assert (lookup(texts.codes, texts.starts, texts.ends) < 0).all()
    assert not variants & set(wrong)


@pytest.mark.parametrize(
    ("spec", "before", "after"),
    [
        ("kind=chat", "you are the department, by the way", "you are the department, btw"),
        ("kind=notes", "you are the department, by the way", "you are the dept, by the way"),
        ("kind=sms", "you are the department, by the way", "ur the department, by the way"),
        ("digits=true,kind=sms", "It is great", "Its gr8"),
        # No digit beside a number, which it would change.
        ("digits=true", "plant 4 great to 90 trees, two for me", "plant 4 great to 90 trees, two for me"),
        ("", "Who will see the or that?", "Who will see the or that?"),
    ],
)  # fmt: skip
def test_kinds_of_abbreviations(spec, before, after):
    assert all_of(f"abbreviation:{spec}" if spec else "abbreviation", before) == after


def test_let_us_is_contracted_before_a_verb():
    assert all_of("contraction", "Let us in! Let us go. Let us out") == (
        "Let us in! Let's go. Let us out"
    )


PERTURBATORS = ["homophone", "misspelling", "contraction", "spelling_variant", "abbreviation",
                "abbreviation:direction=expand", "filler", "number_format",
                "number_format:to=digits", "number_format:to=separators"]  # fmt: skip


@pytest.mark.parametrize("spec", PERTURBATORS)
@pytest.mark.parametrize(
    "text", ["敏捷的棕色狐狸。", "быстрая лиса 5 раз", "ال سريع ١٢", "größer_ÿÿÿ"]
)
def test_other_languages_are_left_alone(spec, text):
    assert perturb.apply(text, spec, p=1.0).edits == ()


# No prose: URLs, paths, addresses and code.
ELSEWHERE = [
    "http://two.color/their/asap?does=not&n=1000",
    "example.org/big/color-their-one",
    "/big/color/their-car",
    "their-color.not@one.example",
    "`the color, do not, one, 5 and their`",
    "```\nfor color in their: do not see you\n```",
]


@pytest.mark.parametrize(
    "spec", [*PERTURBATORS, "synonym", "antonym", "hypernym", "emoji", "dictation"]
)
@pytest.mark.parametrize("span", ELSEWHERE)
def test_what_is_no_prose_stays(spec, span):
    made = perturb.apply(f"their big color, see {span} for 5 of them", spec, p=1.0).text
    assert span in made


@pytest.mark.parametrize("spec", PERTURBATORS)
def test_the_same_in_bytes_and_in_wide_characters(spec):
    text = "I don't think that their colour is twenty-one, asap, or 1000 people do not believe it."
    alone = perturb.apply(text, spec, p=1.0, id="one").edits
    assert alone
    wide = perturb.apply(f"{text} 狐", spec, p=1.0, id="one").edits
    assert alone == wide


# Made where they are used, not where tests are collected.
TABLES = {
    "homophone": lambda: substitutions.homophones("common"),
    "misspelling": lambda: substitutions._misspellings(True),
    "contraction": lambda: substitutions._contractions("both", True)[0][0],
    "spelling_variant": lambda: substitutions._variants("both"),
    "shorten": lambda: substitutions._abbreviations("shorten", "any", digits=True),
    "expand": lambda: substitutions._abbreviations("expand", "any", digits=True),
}
_WORD = re.compile(r"[a-z0-9_]+(?:['.-][a-z]+)*")


def has_word(key):
    return re.search("[a-z0-9]", key)


@pytest.mark.parametrize("name", TABLES)
def test_every_phrase_of_a_table_is_found(name):
    table = TABLES[name]()
    keys = [key for key in table.keys if has_word(key)]
    found = table.find(Batch.of([f"({key})" for key in keys]))
    assert [table.keys[row] for row in found.rows] == keys


def walked(table, text):
    """The phrases of a table in a text, word by word."""
    options = sorted(filter(has_word, table.keys), key=len, reverse=True)
    folded = text.replace("’", "'")
    folded = re.sub("[A-Z]", lambda match: match[0].lower(), folded)
    words = Batch.of([folded]).words
    starts, ends = (words.starts - 1).tolist(), (words.ends - 1).tolist()
    found, at = [], 0
    for start in starts:
        for key in options:
            lead = re.search("[a-z0-9]", key).start()
            begin, end = start - lead, start - lead + len(key)
            inner = end - (not key[-1].isalnum())
            if (
                begin >= at
                and folded[max(begin, 0) : end] == key
                and inner in ends
                and not (end > inner and end in starts)
            ):
                found.append((begin, end, key))
                at = end
                break
    return found


def pieces_of(table):
    keys = st.sampled_from(table.keys)
    words = keys.flatmap(lambda key: st.sampled_from(key.split(" ")))
    others = ["I", "be", "’", "'", "/", ".", "狐", "é", "-", "\n", "  ", ", ", "5"]
    return st.lists(
        st.one_of(keys, keys.map(str.upper), words, st.sampled_from(others)), max_size=8
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_tables_against_a_slow_walk(name):
    table = TABLES[name]()

    @given(pieces_of(table), st.sampled_from([" ", " ", ""]))
    @settings(max_examples=of_all(40), derandomize=True)
    def check(pieces, gap):
        text = gap.join(pieces)
        expected = walked(table, text)
        # Beside other texts, in bytes and in wide characters.
        for around in ("do I", "狐 do"):
            batch = Batch.of([around, text, "not I"])
            found = table.find(batch)
            start, end = batch.texts.starts[1], batch.texts.ends[1]
            mine = found.keep((found.starts >= start) & (found.ends <= end))
            got = zip(
                (mine.starts - start).tolist(), (mine.ends - start).tolist(), mine.rows, strict=True
            )
            assert [(low, high, table.keys[row]) for low, high, row in got] == expected

    check()


def test_overlaps_are_walked_from_the_left():
    table = Phrases([("a b", "x"), ("b c", "y"), ("c a", "z"), ("b", "w")])
    found = table.find(Batch.of(["a b c a b c b", "b a b c"]))
    assert [table.keys[row] for row in found.rows] == ["a b", "c a", "b c", "b", "b", "a b"]


def test_a_long_chain_of_overlaps():
    table = Phrases([("a a", "b")])
    assert len(table.find(Batch.of([" ".join("a" * 10_001)])).rows) == 5_000
