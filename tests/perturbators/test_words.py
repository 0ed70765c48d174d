"""What the perturbators of words write: exact texts, other scripts, what stays."""

import itertools

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all
from taken import all_of, some_of

import perturb
from perturb.engine.batch import Batch
from perturb.errors import UsageError
from perturb.resources import read_rows
from perturb.testing import texts

OTHER_SCRIPTS = {
    "Russian": "Быстрая лиса прыгает. Она рада!",
    "Greek": "Η γρήγορη αλεπού τρέχει. Είναι καλή!",
    "Arabic": "الثعلب السريع يقفز فوق الكلب. نعم؟",
    "Hebrew": "השועל המהיר קופץ. כן!",
    "Hindi": "यह एक तेज़ लोमड़ी है। वह कूदी।",
    "Thai": "สุนัขจิ้งจอก กำลัง วิ่ง เร็ว มาก",
    "Korean": "빠른 갈색 여우가 개를 넘는다. 좋다!",
    "Chinese": "敏捷的狐狸，跳过了。“懒狗”走了！很好。",
    "Japanese": "すばやい狐。カタカナと犬、がいる。",
    "Georgian": "სწრაფი მელა ხტება. კარგი!",
}
SPECS = [
    "word_insert",
    "word_insert:words=common",
    "word_mask",
    "word_merge",
    "word_shuffle",
    "word_split",
    "sentence_shuffle",
    "add_context",
    "add_context:where=start",
    "add_context:where=inside",
    "duplicate",
    "truncate",
    "line_breaks:width=8",
    "line_breaks:mode=hyphenate,width=8",
    "edge_whitespace",
    "punctuation",
    "punctuation:mode=add",
    "punctuation:mode=double",
    "dictation",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", OTHER_SCRIPTS)
def test_no_latin_letter_comes_into_another_script(spec, name):
    for made in some_of(spec, OTHER_SCRIPTS[name], count=5):
        assert not regex.search(r"\p{Latin}", made), made


@pytest.mark.parametrize("spec", ["word_insert:words=common", "add_context"])
def test_a_script_without_a_table_has_no_site(spec):
    record = perturb.apply(OTHER_SCRIPTS["Georgian"], spec, p=1.0)
    assert record.status == "no site"


@pytest.mark.parametrize("text", ["Її друзі з'їли яблука.", "او نمی‌خواهد.", "Њега нема."])
def test_a_language_without_sentences_gets_none_of_another_one(text):
    assert perturb.apply(text, "add_context", p=1.0).status == "no site"


def test_a_sentence_comes_between_two_of_prose():
    text = "```python\nreturn 1\n# Why.\nreturn 2\n```"
    assert perturb.apply(text, "add_context:where=inside", p=1.0, seed=2).status == "no site"


@pytest.mark.parametrize(
    ("step", "wanted"),
    [("comma_insert", "il, y, a, 12 000, ans"), ("word_merge", "ilya12 000ans")],
)
def test_nothing_parts_or_joins_two_numbers(step, wanted):
    assert str(perturb.apply("il y a 12 000 ans", step, p=1.0)) == wanted


def test_a_fraction_stays_itself():
    assert str(perturb.apply("1/4 of 3", "word_duplicate", p=1.0)) == "1/4 of of 3 3"


@pytest.mark.parametrize("table", ["common_words.tsv", "contexts.tsv"])
def test_tables_of_scripts(table):
    rows = read_rows("languages", table)
    assert rows == sorted(rows)
    for string, script, _ in rows:
        assert Batch.of([string]).sentences.to_list() == [string]
        name = {"hiragana": r"\p{Hiragana}\p{Katakana}\p{Han}ー", "katakana": r"\p{Katakana}ー"}
        letters = name.get(script, rf"\p{{{script}}}")
        assert regex.fullmatch(rf"(?:[{letters}\p{{M}}][\s.,。।]*)+", string), string
        assert table == "contexts.tsv" or len(Batch.of([string]).words) == 1


class TestInsert:
    @pytest.mark.slow
    def test_words_of_the_text_are_drawn_alike_but_never_the_word_itself(self):
        assert some_of("word_insert", "one 12") == {"one 12"}
        made = [perturb.apply("a b c", "word_insert", count=3, seed=s).text for s in range(900)]
        assert {text.split()[1] for text in made} == {"b", "c"}
        # 900 fair coins: 450 and 5 standard deviations of 15.
        assert abs(sum(text.split()[1] == "b" for text in made) - 450) < 75

    def test_words_come_from_their_own_text_and_script(self):
        batch = ["one two", "три четыре", "five шесть seven"]
        for seed in range(20):
            made = perturb.apply(batch, "word_insert", p=1.0, seed=seed)
            assert made[0].text == "one two two one"
            assert made[1].text == "три четыре четыре три"
            assert made[2].text == "five seven шесть seven five"

    def test_common_words(self):
        common = {word for word, script, _ in read_rows("languages", "common_words.tsv")}
        for seed in range(20):
            first, drawn, last = all_of("word_insert:words=common", "Zebra 12", seed=seed).split()
            assert (first, last) == ("Zebra", "12")
            assert drawn in common
            assert drawn.isascii()


class TestShuffle:
    def test_all_orders_but_the_one_that_is_there(self):
        orders = {" ".join(words) for words in itertools.permutations("abc")}
        assert some_of("word_shuffle", "a b c") == orders - {"a b c"}

    def test_gaps_and_windows_stay(self):
        text = "One two, three - four.\tFive six"
        for seed in range(20):
            made = all_of("word_shuffle", text, seed=seed)
            assert regex.sub(r"\w+", "w", made) == regex.sub(r"\w+", "w", text)
            assert sorted(regex.findall(r"\w+", made)[:3]) == ["One", "three", "two"]
            # A window of one word, and one behind the end of a sentence.
            assert made.endswith("four.\tsix Five")

    def test_one_order_is_left(self):
        assert all_of("word_shuffle", "a a b") != "a a b"
        assert some_of("word_shuffle:window=9", "go go go") == {"go go go"}

    @pytest.mark.slow
    @settings(max_examples=of_all(150), derandomize=True)
    @given(texts, st.integers(2, 5), st.integers(0, 99))
    def test_every_window_holds_its_words_in_another_order(self, text, window, seed):
        record = perturb.apply(text, perturb.steps.word_shuffle(p=1.0, window=window), seed=seed)
        for edit in record.edits:
            before = Batch.of([text[edit.start : edit.end]]).words.to_list()
            assert sorted(edit.text) == sorted(text[edit.start : edit.end])
            assert 2 <= len(before) <= window

    def test_sentences_of_the_whole_text(self):
        text = "One. Two!\n\nThree?"
        assert len(some_of("sentence_shuffle", text)) == 5
        assert all(regex.fullmatch(r"\w+[.!?] \w+[.!?]\n\n\w+[.!?]", made)
                   for made in some_of("sentence_shuffle", text))  # fmt: skip

    def test_sentences_of_windows(self):
        text = "Ah. Be. So. To. Up."
        assert some_of("sentence_shuffle:window=2", text) == {"Be. Ah. To. So. Up."}
        record = perturb.apply(text, perturb.steps.sentence_shuffle(count=1, window=2))
        assert (record.units, record.sites, len(record.edits)) == (2, 2, 1)

    def test_a_span_moves_with_its_sentence(self):
        record = perturb.apply(
            "Ah. Be. So.", perturb.steps.sentence_shuffle(p=1.0, window=2), spans=[(0, 2)]
        )
        assert record.text == "Be. Ah. So."
        assert record.spans == ((4, 6),)


class TestSplitAndMerge:
    def test_every_place_in_a_word(self):
        assert some_of("word_split", "word") == {"w ord", "wo rd", "wor d"}
        assert some_of("word_split", "a 12 3.14 I") == {"a 12 3.14 I"}

    def test_no_cluster_is_split(self):
        assert some_of("word_split", "नमस्ते") == {"न मस्ते", "नम स्ते"}
        assert some_of("word_split", "e\u0301te\u0301") == {"e\u0301 te\u0301", "e\u0301t e\u0301"}

    def test_merge(self):
        text = "a  b, c\td\ne 12 13 f"
        assert all_of("word_merge", text) == "ab, cd\ne12 13f"

    def test_the_unit_is_the_word(self):
        record = perturb.apply("a b, c d", "word_merge", p=1.0)
        assert (record.units, record.sites) == (4, 2)


class TestMask:
    def test_token(self):
        assert all_of("word_mask", "Ann's dog, 3.5 kg!") == "___ ___, ___ ___!"
        assert all_of("word_mask", "a ___ b", token="[MASK]") == "[MASK] [MASK] [MASK]"
        record = perturb.apply("a ___ b", "word_mask", p=1.0)
        assert (record.text, record.units, record.sites) == ("___ ___ ___", 3, 2)

    def test_an_empty_token_is_refused(self):
        with pytest.raises(
            UsageError, match="token must not be empty; to remove words, use word_delete"
        ):
            perturb.apply("", perturb.steps.word_mask(token=""))


def test_no_sentence_is_put_into_a_list():
    for items in (
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "- milk\n- eggs. Two.",
        "(A) cat\n(B) dog\nAnswer:",
        "A. cat\n10. dog\n3",
    ):
        made = perturb.apply([f"Look here. Say so.\n{items}"] * 9, "add_context:where=inside", p=1)
        assert all(record.text.endswith(f" Say so.\n{items}") for record in made)
        assert perturb.apply(items, "add_context:where=inside", p=1).text == items
