"""Words of texts without spaces between them: by a library, or none at all."""

from types import SimpleNamespace

import pytest

import perturb
from perturb.engine.text import scripts

TEXTS = ["莱恩和威尔资助了什么？", "今日は天気がいいので散歩した。", "วันนี้อากาศดีมากเราไป"]
STEPS = ["word_swap", "word_delete", "word_duplicate", "word_mask", "truncate", "word_insert"]


class Pairs:
    """A library that cuts after each two code points."""

    def parse(self, text):
        return [text[at : at + 2] for at in range(0, len(text), 2)]


@pytest.fixture
def library(monkeypatch):
    loaders = {
        f"load_default_{model}_parser": Pairs for model in scripts._MODELS["budoux"].values()
    }
    monkeypatch.setattr(scripts, "needed", lambda *_: SimpleNamespace(**loaders))
    monkeypatch.setattr("importlib.metadata.version", lambda _: "1.2")
    scripts._cut.cache_clear()
    yield
    scripts._cut.cache_clear()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("text", TEXTS)
def test_steps_on_words_leave_such_texts_alone(step, text) -> None:
    record = perturb.apply(text, step, p=1.0)
    assert (record.text, record.status, record.units) == (text, "not segmented", 0)


def test_a_foreign_word_is_one_word_of_its_text() -> None:
    text = "Plain English with 北京 in it"
    assert perturb.apply(text, "word_delete", p=1.0).units == 6


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.usefixtures("library")
def test_segments_are_words(step, text) -> None:
    record = perturb.apply(text, f"{step}:p=0.5,segmenter=budoux")
    assert record.status == "changed"
    assert record.units >= 5
    assert perturb.verify(record)
    assert "segmenter=budoux@1.2" in record.recipe


@pytest.mark.usefixtures("library")
def test_only_segments_change() -> None:
    words = perturb.apply("一二三四五六 abc, 七八", "word_mask:p=1,token=_,segmenter=budoux")
    assert words.text == "___ _, _"
    assert perturb.apply("一二三四", "word_swap:p=1,segmenter=budoux").text == "三四一二"
    assert perturb.apply("一二三", "word_duplicate:p=1,segmenter=budoux").text == "一二一二三三"
    inserted = perturb.apply("狐狸。跳过。", "word_insert:p=1,segmenter=budoux")
    assert inserted.text == "狐狸跳过。跳过狐狸。"
    # A mark stays on its letter.
    assert perturb.apply("ทน้ำ", "word_delete:count=1,segmenter=budoux").text in ("", "ท", "น้ำ")


@pytest.mark.usefixtures("library")
def test_a_share_of_words_is_one_of_segments() -> None:
    record = perturb.apply("一二三四五六七八", "char_repeat:per=word,p=1,segmenter=budoux")
    assert (record.units, len(record.edits)) == (4, 4)


def test_a_segmenter_that_is_not_installed_is_named(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "budoux", None)
    with pytest.raises(perturb.UsageError, match=r"pip install '.*\[segments\]'"):
        perturb.apply("x", "word_delete:segmenter=budoux")


@pytest.mark.parametrize("name", ["thulac", 3])
def test_no_other_segmenter(name) -> None:
    with pytest.raises(perturb.UsageError, match="the segmenter is budoux or jieba"):
        perturb.Pipeline.of({"name": "word_delete", "segmenter": name})


@pytest.fixture
def jieba(monkeypatch):
    def tokenizer():
        return SimpleNamespace(
            gen_pfdict=lambda _: ({}, 0), get_dict_file=lambda: None, lcut=Pairs().parse
        )

    monkeypatch.setattr(scripts, "needed", lambda *_: SimpleNamespace(Tokenizer=tokenizer))
    monkeypatch.setattr("importlib.metadata.version", lambda _: "0.42")
    scripts._cut.cache_clear()
    yield
    scripts._cut.cache_clear()


@pytest.mark.usefixtures("jieba")
def test_a_library_for_chinese_alone() -> None:
    chinese, japanese, thai = perturb.apply(TEXTS, "word_delete:p=0.5,segmenter=jieba")
    assert (chinese.status, "segmenter=jieba@0.42" in chinese.recipe) == ("changed", True)
    assert japanese.status == thai.status == "not segmented"


def test_words_of_jieba() -> None:
    pytest.importorskip("jieba")
    record = perturb.apply("黑豹队赢了。", "word_mask:segmenter=jieba,p=1,token=_")
    assert record.text == "____。"


def test_words_of_the_library() -> None:
    budoux = pytest.importorskip("budoux")
    text = "今天天气很好，我们去公园散步吧。"
    # Not the step of the tests above, of which the version is known already.
    record = perturb.apply(text, "word_mask:segmenter=budoux,p=1,token=_")
    assert record.units == len("今天 天气 很 好 我们 去 公园 散步 吧".split())
    assert f"segmenter=budoux@{budoux.__version__}" in record.recipe
    with pytest.raises(perturb.UsageError, match=r"pip install budoux==0[.]0[.]1"):
        perturb.apply(text, "word_mask:segmenter=budoux@0.0.1")
