"""Names of other libraries: each stands for steps that do what it says."""

import json
from collections import Counter
from types import SimpleNamespace

import pytest
import yaml

import perturb
from perturb import Pipeline, cli
from perturb.integrations import weave
from perturb.pipeline.drop_in_names import drop_ins, left_out

TEXT = "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure."
# What each makes of a text with seed 2.
GOLDEN = {
    "weave.random_case_change": (
        TEXT,
        "it is grey, isn't it?  ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "weave.remove_punctuation": (
        TEXT,
        "It is grey isn't it  Ann's café sold 12 lazy dogs for $3.50 today\nby any measure",
    ),
    "weave.butterfingers": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 tlday,\nby any measure.",
    ),
    "weave.add_whitespace": (
        TEXT,
        "It  is  grey,  isn't  it?    Ann's  café  sold  12  lazy  dogs  for  $3.50  today,\nby  any  measure.",
    ),
    "weave.swap_chars": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby ayn measure.",
    ),
    "weave.emphasize_words": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any MEASURE.",
    ),
    "weave.split_merge_words": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50today,\nby any measure.",
    ),
    "weave.text_noise": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any meazsure.",
    ),
    "weave.random_capitalization": (
        TEXT,
        "IT iS gReY, ISN't iT?  ANn'S CaFé sold 12 LaZy DOgS FOr $3.50 TodAy,\nbY aNY MeAsurE.",
    ),
    "helm.lowercase": (
        TEXT,
        "it is grey, isn't it?  ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "helm.typos": (
        TEXT,
        "It is gret, isn't it?  Ann's café sold 12 lqzy dogs for $3.50 tlday,\nby any measure.",
    ),
    "helm.typo_easy": (
        TEXT,
        "It is gret, isn't it?  Ann's café solf 12 oqzy dpgs for $3.50 tlday,\nby any measure.",
    ),
    "helm.typo_medium": (
        TEXT,
        "Ut os gret, isn't it?  Qnn's café solf 12 oqzt dpts fpr $3.50 glcay,\nby any neasire.",
    ),
    "helm.typo_hard": (
        TEXT,
        "Ur os brwt, ixn't ot?  Qnb's café xolf 12 oqzt dpts rpr $3.50 glcay,\nht any nessire.",
    ),
    "helm.misspellings": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "helm.misspelling_mild": (
        "I definitely believe that she will receive the necessary separate letters.",
        "I definitely believe that she will receive the necessary separate leters.",
    ),
    "helm.misspelling_medium": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "helm.misspelling_hard": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any meassure.",
    ),
    "helm.space": (
        TEXT,
        "It  is   grey,   isn't   it?  Ann's  café sold   12 lazy   dogs for $3.50   today,\nby  any  measure.",
    ),
    "helm.extra_space": (
        TEXT,
        "It  is  grey,  isn't  it?    Ann's  café  sold  12  lazy  dogs  for  $3.50  today,\nby  any  measure.",
    ),
    "helm.contraction": (
        TEXT,
        "It's grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "helm.expansion": ("They don't know.", "They do not know."),
    "helm.filler_words": (
        TEXT,
        "It, like, is, right, grey, isn't basically it?  Ann's café, at the end of the day, sold 12 lazy dogs, no wait, for $3.50 today,\nby any probably measure.",
    ),
    "helm.synonym": ("The quick fox may jump over it.", "The quick fox may spring over it."),
    "helm.mild_mix": (
        TEXT,
        "it's grey,   isn't   it?    ann's   café  sold  12 lazy dogs for   $3.50  today,\nby   any   measure.",
    ),
    "langtest.uppercase": (
        TEXT,
        "IT IS GREY, ISN'T IT?  ANN'S CAFÉ SOLD 12 LAZY DOGS FOR $3.50 TODAY,\nBY ANY MEASURE.",
    ),
    "langtest.lowercase": (
        TEXT,
        "it is grey, isn't it?  ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "langtest.titlecase": (
        TEXT,
        "It Is Grey, Isn't It?  Ann's Café Sold 12 Lazy Dogs For $3.50 Today,\nBy Any Measure.",
    ),
    "langtest.add_punctuation": (TEXT.rstrip("."), f"{TEXT.rstrip('.')};"),
    "langtest.strip_punctuation": (
        TEXT,
        "It is grey, isn't it  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure",
    ),
    "langtest.strip_all_punctuation": (
        TEXT,
        "It is grey isn't it  Ann's café sold 12 lazy dogs for $3.50 today\nby any measure",
    ),
    "langtest.add_typo": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 tlday,\nby any measure.",
    ),
    "langtest.american_to_british": ("A gray color.", "A grey colour."),
    "langtest.british_to_american": (
        TEXT,
        "It is gray, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "langtest.add_context": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure. The shop sells lamps and old maps.",
    ),
    "langtest.add_contraction": (
        TEXT,
        "It's grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "langtest.number_to_word": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold twelve lazy dogs for $3.50 today,\nby any measure.",
    ),
    "langtest.add_ocr_typo": (
        TEXT,
        "[t: is grey, isnt it?  An. café sold 12 lazy ‘dgs for $3.50 today,\nby any measure.",
    ),
    "langtest.add_abbreviation": (
        TEXT,
        "Its grey, isn't it?  Ann's café sold 12 lazy dogs 4 $3.50 today,\nby any measure.",
    ),
    "langtest.add_speech_to_text_typo": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nbye any measure.",
    ),
    "langtest.add_new_lines": (
        "It is gray, and it is not what she would have liked.",
        "It is gray, and it is not what she would\nhave liked.",
    ),
    "langtest.add_tabs": (
        TEXT,
        "It\tis grey, isn't it?  Ann's\tcafé sold 12 lazy dogs for $3.50 today,\nby any\tmeasure.",
    ),
    "langtest.randomize_options": (
        "Hot?\nA. ice\nB. fire\nC. snow",
        "Hot?\nA. fire\nB. ice\nC. snow",
    ),
    "nlaugmenter.butter_fingers_perturbation": (
        TEXT,
        "It is gret, isn't it?  Ann's café sold 12 lqzy dogs for $3.50 tlday,\nby any measure.",
    ),
    "nlaugmenter.butter_finger": (
        TEXT,
        "It is gret, isn't it?  Ann's café sold 12 lqzy dogs for $3.50 tlday,\nby any measure.",
    ),
    "nlaugmenter.change_char_case": (
        TEXT,
        "It is greY, isn't it?  Ann's café sold 12 lazy Dogs for $3.50 todAy,\nby any MeAsure.",
    ),
    "nlaugmenter.swap_characters": (
        TEXT,
        "It is gery, isn't it?  Ann's café sold 12 lazy dogs for $3.50 todya,\nby ayn measrue.",
    ),
    "nlaugmenter.whitespace_perturbation": (
        TEXT,
        "It is grey, isn't it?  An n's café sold 12 la zy dogs for $3.50 tod a y,\nby any measure.",
    ),
    "nlaugmenter.leet_letters": (
        TEXT,
        "17 1s gr3y, 15n'7 17?  4nn'5 c4fé sold 12 lazy d0gs f0r $3.50 70day,\nby 4ny m3asur3.",
    ),
    "nlaugmenter.close_homophones_swap": (
        TEXT,
        "It is grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "nlaugmenter.filler_word_augmentation": (
        TEXT,
        "It, like, is grey, isn't basically it?  Ann's café sold 12 lazy dogs, no wait, for $3.50 today,\nby any measure.",
    ),
    "nlaugmenter.contraction_expansions": (
        TEXT,
        "It's grey, isn't it?  Ann's café sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "nlaugmenter.diacritic_removal": (
        TEXT,
        "It is grey, isn't it?  Ann's cafe sold 12 lazy dogs for $3.50 today,\nby any measure.",
    ),
    "nlaugmenter.random_deletion": (
        TEXT,
        "It is grey, isn't it? café sold lazy dogs $today,\nby any measure.",
    ),
}
# What the names about people and dialects make of another text.
PEOPLE = {
    "Tom said that he don't have no apples, and his brother and Ann tall.": "helm.dialect helm.dialect_deterministic",
    "Tom said that he doesn't have any apples, and his brother and Ann are tall.": "helm.dialect_easy helm.gender_pronouns_easy helm.gender_pronouns_medium helm.gender_pronouns_hard helm.gender_terms_easy helm.gender_terms_medium helm.gender_terms_hard helm.person_name_first_hard_preserve_gender",
    "Tom said that he don't have any apples, and his brother and Ann are tall.": "helm.dialect_medium helm.dialect_hard",
    "Tom said that she doesn't have any apples, and her brother and Ann are tall.": "helm.gender helm.gender_pronouns_deterministic helm.fairness helm.canonical",
    "Tom said that he doesn't have any apples, and his sister and Ann are tall.": "helm.gender_terms_deterministic",
    "Dexter said that he doesn't have any apples, and his brother and Eula are tall.": "helm.person_name helm.person_name_first_deterministic",
}
OF_SURNAMES = "Ann Wilson met Tom, and Mr. Wilson's class left."
OF_PEOPLE = "Tom said that he doesn't have any apples, and his brother and Ann are tall."
GOLDEN |= {name: (OF_PEOPLE, made) for made, names in PEOPLE.items() for name in names.split()}
GOLDEN |= {
    "helm.person_name_last_deterministic": (
        OF_SURNAMES,
        OF_SURNAMES.replace("Wilson", "Guzman"),
    ),
    "helm.person_name_last_hard": (OF_SURNAMES, OF_SURNAMES),
}
SEVERAL = (
    *("weave.random_case_change", "weave.split_merge_words", "helm.mild_mix"),
    *("helm.fairness", "helm.canonical"),
)


@pytest.mark.parametrize("name", drop_ins())
def test_golden(name) -> None:
    """A change here is a new version of a perturbator, or another meaning of the name."""
    text, wanted = GOLDEN[name]
    record = perturb.apply(text, name, seed=2)
    assert record.text == wanted
    assert perturb.verify(record.to_dict())


@pytest.mark.parametrize("name", drop_ins())
def test_every_form_of_a_step_takes_the_name(name) -> None:
    text, wanted = GOLDEN[name]
    written = yaml.safe_dump({"steps": [{"name": name}]})
    for steps in ({"name": name}, [name], yaml.safe_load(written), str(Pipeline.of(name))):
        assert perturb.apply(text, steps, seed=2).text == wanted
    assert len(perturb.apply(text, f"identity one_of({name})").steps) > 1
    (row,) = perturb.augment([{"id": "q", "text": text}], {"grid": [name]})
    assert row["perturbation"]["condition"] == name


def test_names_are_apart_from_ours() -> None:
    ours = {*perturb.names(), *perturb.registry.registry.aliases()}
    assert ours.isdisjoint(drop_ins())
    assert all(name.count(".") == 1 for name in drop_ins())
    assert not any("." in name for name in ours)
    assert left_out().keys().isdisjoint(drop_ins())
    assert set(GOLDEN) == set(drop_ins())


def test_the_usual_strength_gives_way() -> None:
    def spelled(*given, **settings):
        return str(Pipeline.of(*given, **settings))

    assert spelled("helm.typos") == "keyboard_typos:p=0.05,of=letters,signs=false"
    assert spelled("helm.typos:p=0.3") == spelled("helm.typos", p=0.3)
    assert spelled("helm.typos:p=0.3") == "keyboard_typos:p=0.3,of=letters,signs=false"
    assert spelled({"name": "helm.typos", "count": 2}) == spelled("helm.typos:count=2")
    assert spelled("langtest.add_typo:layout=de") == "keyboard_typos:count=1,layout=de"
    assert spelled("langtest.add_typo", severity=2) == "keyboard_typos:severity=2"
    assert spelled("weave.butterfingers:max_edits=1") == "keyboard_typos:count=1,max_edits=1"
    assert spelled("helm.extra_space ocr", p=0.2) == "whitespace:p=0.2,mode=double ocr:p=0.2"
    made = perturb.grid(["helm.typos", "helm.mild_mix"], p=[0.1, 0.2])
    assert [len(one.steps) for one in made] == [1, 1, 4]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("helm.typo", "unknown drop-in name 'helm.typo': did you mean helm.typos"),
        ("weave.unknown", "unknown drop-in name"),
        (
            "langtest.dyslexia_word_swap",
            "langtest.dyslexia_word_swap has no equivalent here: no table of words that are",
        ),
        (
            "helm.mild_mix:p=0.3",
            "has fixed settings; to change them, write its steps: case:style=lower",
        ),
        ({"name": "weave.split_merge_words", "p": 0.1}, "has fixed settings"),
        ("helm.typos:style=upper", "keyboard_typos has no parameter 'style'"),
    ],
)
def test_what_is_wrong_is_said(steps, message) -> None:
    with pytest.raises(perturb.UsageError, match=message):
        Pipeline.of(steps)


@pytest.mark.parametrize("name", SEVERAL)
def test_names_of_several_steps_take_no_strength(name) -> None:
    with pytest.raises(perturb.UsageError, match="every step already has a strength"):
        perturb.apply(TEXT, name, p=0.2)


def test_list_and_show(capfd) -> None:
    assert cli.main(["list", "--aliases"]) == 0
    lines = [line.split(maxsplit=1) for line in capfd.readouterr().out.splitlines()]
    listed = dict(lines[1:])
    assert listed["helm.typos"] == "keyboard_typos:p=0.05,of=letters,signs=false"
    assert listed["random_delete"] == "char_delete:fill=X,digits=true"
    assert listed["qwerty"] == "yz_swap"
    assert cli.main(["list", "--aliases", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == listed
    assert cli.main(["show", "weave.butterfingers"]) == 0
    shown = capfd.readouterr().out
    assert shown.startswith("weave.butterfingers means keyboard_typos:count=1\n")
    assert cli.main(["show", "weave.butterfingers", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["theirs"]
    assert cli.main(["show", "weave.butterfinger"]) == 2
    assert "did you mean weave.butterfingers" in capfd.readouterr().err


@pytest.mark.slow
def test_weaves_data_set() -> None:
    texts = [TEXT, "What is the capital of France?", "a"]
    made = weave.create_perturbed_dataset(texts, num_perturbations=7, seed=3)
    assert [list(one) for one in made] == [["questions"]] * 3
    for text, one in zip(texts, made, strict=True):
        original, *versions = one["questions"]
        assert original == text
        assert len(versions) == 7
        assert text not in versions
    assert made == [weave.create_perturbed_dataset([text], 7, 3)[0] for text in texts]
    assert made != weave.create_perturbed_dataset(texts, 7, 4)
    assert [one["questions"][:3] for one in made] == [
        one["questions"] for one in weave.create_perturbed_dataset(texts, 2, 3)
    ]
    assert weave.create_perturbed_dataset([""], 2) == [{"questions": ["", "", ""]}]
    assert weave.create_perturbed_dataset([TEXT], 0) == [{"questions": [TEXT]}]
    assert weave.create_perturbed_dataset([]) == []


@pytest.mark.slow
def test_the_functions_are_drawn_by_weights_that_fall(monkeypatch) -> None:
    """The weight of a function is 1, and 0.8 once it was used.

    The second of two draws is the function of the first with probability 0.8 / 8.8 = 1/11. Of 2,200
    texts that is 200, with a standard deviation of sqrt(2200 * 10) / 11 = 13.5: 61 is 4.5 of them.
    Each function comes first in 2200 / 9 = 244 texts, with a standard deviation of 14.7.
    """

    def named_after_the_first(text, order, *_):
        return SimpleNamespace(text=str(order[0])), order[0]

    monkeypatch.setattr(weave, "_new_version", named_after_the_first)
    texts = [f"text {n}" for n in range(2200)]
    drawn = [one["questions"][1:] for one in weave.create_perturbed_dataset(texts, 2)]
    assert abs(sum(first == second for first, second in drawn) - 200) < 61
    firsts = Counter(first for first, _ in drawn)
    assert len(firsts) == 9
    assert all(abs(count - 244) < 67 for count in firsts.values())


@pytest.mark.parametrize(
    ("texts", "number", "error"),
    [("one text", 7, TypeError), ([1], 7, TypeError), (["a"], -1, ValueError)],
)
def test_what_is_no_data_set(texts, number, error) -> None:
    with pytest.raises(error, match="got"):
        weave.create_perturbed_dataset(texts, number)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a b  c", "a  b    c"),
        (" a\tb\nc d ", "  a\tb\nc  d  "),
        (
            "ni\u200bnull \U0001f468\u200d\U0001f469 x",
            "ni\u200bnull  \U0001f468\u200d\U0001f469  x",
        ),
        ("बदल शब्द", "बदल  शब्द"),
        ("one", "one"),
    ],
)
def test_doubled_spaces(text, wanted) -> None:
    """Each space once more, and nothing else."""
    assert perturb.apply(text, "whitespace:mode=double", p=1).text == wanted
