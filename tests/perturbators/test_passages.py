"""Whole passages: added, cut off, pasted twice; and files that a step draws from."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sizes import of_all
from taken import all_of, some_of

import perturb
from perturb import boundary
from perturb.cli import main
from perturb.engine.batch import Batch
from perturb.errors import UsageError
from perturb.pipeline.pipeline import Pipeline
from perturb.resources import read_rows
from perturb.testing import texts


def contexts(script):
    return {one for one, own, _ in read_rows("languages", "contexts.tsv") if own == script}


class TestAddContext:
    @pytest.mark.parametrize(
        ("text", "script", "gap"),
        [
            ("How many?", "latin", " "),
            ("Сколько?", "cyrillic", " "),
            ("كم؟", "arabic", " "),
            ("कितने हैं।", "devanagari", " "),
            ("多少钱？", "han", ""),
            ("茶色の狐。", "hiragana", ""),
            ("몇 개?", "hangul", " "),
            ("Сколько стоит iPhone?", "cyrillic", " "),
        ],
    )
    def test_the_sentence_is_in_the_script_of_the_text(self, text, script, gap):
        added = contexts(script)
        for made in some_of("add_context", text, count=30):
            assert made.removeprefix(text + gap) in added
        for made in some_of("add_context:where=start", text, count=30):
            assert made.removesuffix(gap + text) in added

    def test_a_text_without_a_stop_keeps_its_line(self):
        made = all_of("add_context", "who is he")
        assert made.removeprefix("who is he\n") in contexts("latin")
        assert "\n" not in all_of("add_context:where=start", "who is he")

    def test_a_label_at_the_end_stays_there(self):
        made = all_of("add_context", "Input: red apples\n\nOutput:\n")
        assert made.startswith("Input: red apples\n")
        assert made.endswith("\n\nOutput:\n")
        assert made.split("\n")[1] in contexts("latin")
        assert all_of("add_context", "\nOutput:").startswith("\nOutput: ")

    def test_no_english_in_another_language(self):
        text = "Tôi không biết anh ấy là ai."
        assert perturb.apply(text, "add_context", p=1.0).status == "not English"

    @pytest.mark.slow
    def test_inside_is_between_any_two_sentences(self):
        text = "\n One. Two!  Three?\n"
        places = set()
        for seed in range(60):
            record = perturb.apply(text, "add_context:where=inside", p=1.0, seed=seed)
            (edit,) = record.edits
            assert edit.text.removesuffix(" ") in contexts("latin")
            places.add(edit.start)
        assert places == {text.index("Two"), text.index("Three")}
        assert perturb.apply("One.", "add_context:where=inside", p=1.0).status == "no site"

    def test_white_space_at_the_ends_stays(self):
        made = all_of("add_context", "\n Why?\n\n")
        assert made.startswith("\n Why? ")
        assert made.endswith(".\n\n")

    def test_p_is_a_share_of_the_texts(self):
        """N = 4000 texts, p = 0.25: 1000 expected, standard deviation 27, tolerance five of it."""
        records = perturb.apply(["Why?"] * 4000, "add_context", p=0.25, id=[*range(4000)])
        assert abs(sum(record.status == "changed" for record in records) - 1000) < 137


class TestFile:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "own, list.txt"
        path.write_text("\ufeffOne thing.\n\n  Two things. \r\n", "utf-8")
        return path

    def test_sentences_come_from_the_file(self, file):
        made = some_of("add_context", "Why?", file=str(file), count=30)
        assert made == {"Why? One thing.", "Why? Two things."}
        assert all_of("add_context", "多少？", file=str(file)) in (
            "多少？One thing.",
            "多少？Two things.",
        )

    def test_the_record_holds_the_hash_and_is_verified(self, file):
        record = perturb.apply("Why?", perturb.steps.add_context(p=1.0, file=str(file)))
        pinned = json.loads(record.steps[0].spec.partition("file=")[2])
        assert pinned == boundary.pinned(str(file))
        assert pinned.startswith(f"{file}@sha256:")
        assert perturb.verify(record, trust=[str(file)])
        assert perturb.verify(record.to_dict(), trust=[str(file)])
        pipeline = Pipeline.of("add_context", p=1.0, file=str(file))
        assert Pipeline.of(str(pipeline)) == pipeline
        assert Pipeline.of(json.loads(json.dumps(pipeline.to_dict()))) == pipeline

    def test_another_content_is_refused(self, file):
        record = perturb.apply("Why?", perturb.steps.add_context(p=1.0, file=str(file)))
        file.write_text("Three things.\n", "utf-8")
        boundary.lines_of.cache_clear()
        with pytest.raises(
            UsageError, match=r"own, list\.txt has changed: its SHA-256 is [0-9a-f]"
        ):
            perturb.verify(record, trust=[str(file)])
        assert all_of("add_context", "Why?", file=str(file)) == "Why? Three things."

    def test_from_the_command_line(self, file, tmp_path):
        source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
        source.write_text('{"id": "a", "text": "Why?"}\n{"id": "b", "text": "How?"}\n')
        spec = f"add_context:p=1.0,file={json.dumps(str(file))}"
        assert main(["apply", spec, "-i", str(source), "-o", str(output), "--workers", "2"]) == 0
        assert main(["verify", str(output), "--trust", str(file)]) == 0
        manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
        assert json.dumps(boundary.pinned(str(file))) in manifest["recipe"]

    @pytest.mark.parametrize(
        ("data", "message"),
        [(b"\n \n", "has no line with text"), (b"a\n\xff", "isn't UTF-8 at byte 2")],
    )
    def test_files_of_no_use(self, tmp_path, data, message):
        path = tmp_path / "list.txt"
        path.write_bytes(data)
        with pytest.raises(UsageError, match=rf"list\.txt {message}"):
            perturb.apply("", perturb.steps.add_context(file=str(path)))

    def test_a_missing_file(self):
        with pytest.raises(UsageError, match=r"can't read the file nowhere\.txt: No such file"):
            perturb.apply("", perturb.steps.add_context(file="nowhere.txt"))

    def test_a_number_is_no_file(self):
        with pytest.raises(UsageError, match="file must be the path of a file or nothing; got 3"):
            perturb.apply("", perturb.steps.add_context(file=3))


class TestTruncate:
    TEXT = " (One two, three.)\nFour! "

    def test_word_by_word(self):
        kept = [perturb.apply(self.TEXT, "truncate", count=count).text for count in range(5)]
        assert kept == [self.TEXT, " (One two, three", " (One two", " (One", ""]
        kept = [perturb.apply(self.TEXT, "truncate:where=start", count=c).text for c in range(5)]
        assert kept == [self.TEXT, "two, three.)\nFour! ", "three.)\nFour! ", "Four! ", ""]

    def test_no_cluster_is_cut(self):
        assert (
            perturb.apply("re\u0301su\u0301", "truncate:unit=character", count=1).text
            == "re\u0301s"
        )
        made = perturb.apply(
            "re\u0301su\u0301", "truncate:unit=character,where=start", count=2
        ).text
        assert made == "su\u0301"

    def test_the_share_is_exact(self):
        text = " ".join("abcdefghij" * 10)
        for p in (0.07, 0.5, 0.93):
            kept = perturb.apply(text, "truncate", p=p).text
            assert len(kept.split()) == round(100 * (1 - p))

    def test_what_is_protected_stays(self):
        made = perturb.apply("a b 12 c d", "truncate", count=3, protect="number").text
        assert made == "a 12"

    @pytest.mark.slow
    @settings(max_examples=of_all(150), derandomize=True)
    @given(texts, st.integers(0, 20), st.sampled_from(["word", "character"]))
    def test_what_is_left_begins_as_the_text(self, text, count, by):
        record = perturb.apply(text, perturb.steps.truncate(count=count, unit=by))
        assert text.startswith(record.text)
        assert len(record.edits) == min(count, record.sites)
        assert text.endswith(
            perturb.apply(text, f"truncate:where=start,unit={by}", count=count).text
        )

    def test_more_sites_than_ranks_under_the_first_limit(self):
        """Of very many sites the few last are still found."""
        text = "a " * 300_000
        assert perturb.apply(text, "truncate", count=2).text == "a " * 299_997 + "a"


class TestDuplicate:
    def test_sentences(self):
        assert all_of("duplicate", "One. Two!\n\nThree") == "One. One. Two! Two!\n\nThree Three"
        assert all_of("duplicate", "一。二！") == "一。一。二！二！"
        assert all_of("duplicate", "एक। दो") == "एक। एक। दो दो"

    @pytest.mark.parametrize(
        ("text", "lines", "whole"),
        [
            ("a", "a\na", "a\na"),
            ("a\nb", "a\na\nb\nb", "a\nb\na\nb"),
            ("a\r\n\r\nb", "a\r\na\r\n\r\nb\r\nb", "a\r\n\r\nb\r\na\r\n\r\nb"),
            ("a\n", "a\na\n", "a\na\n"),
            (" \na\r\n", " \na\r\na\r\n", " \na\r\n \na\r\n"),
            ("", "", ""),
            (" \n", " \n", " \n"),
        ],
    )
    def test_lines_and_texts(self, text, lines, whole):
        assert all_of("duplicate:unit=line", text) == lines
        assert all_of("duplicate:unit=text", text) == whole
        # The same beside other texts.
        batch = perturb.apply(["x\r\n", text, "\ny"], "duplicate:unit=line", p=1.0)
        assert batch[1].text == lines

    def test_units(self):
        text = "One. Two.\nThree."
        for what, units in (("sentence", 3), ("line", 2), ("text", 1)):
            assert perturb.apply(text, perturb.steps.duplicate(p=1.0, unit=what)).units == units


def test_describe_says_the_unit():
    assert perturb.describe("add_context")["unit"] == "text"
    assert perturb.describe("duplicate")["unit"] == "sentence"
    assert Batch.of(["a"]).units("text").tolist() == [1]
