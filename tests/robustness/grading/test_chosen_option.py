import pytest

from perturb.robustness.grading import chosen_option as module
from perturb.robustness.grading.chosen_option import chosen_option
from perturb.robustness.grading.option_labels import Options, options_of

OPTIONS = Options(tuple("ABCD"), ("Rome", "Paris", "Oslo", "None of the above"))
READ = [
    ("b", 1),
    ("(B)", 1),
    ("**B**", 1),
    ("Answer: b", 1),
    ("ANSWER - B", 1),
    (r"so \boxed{\text{B}}", 1),
    (r"\boxed{B. Paris}", 1),
    ("It is B.", 1),
    ("The answer is B, not C. Option A would need more.", 1),
    ("The correct answer is **B**.", 1),
    ("Answer: option (b)", 1),
    ("B) because A is wrong", 1),
    ("I would go with C, as A and B are in the south.", 2),
    ("the second option", 1),
    ("Answer: 2", 1),
    ("Answer: ii", 1),
    ("Paris", 1),
    ("The answer is Paris.", 1),
    ("That would be paris!", 1),
    ("None of the above.", 3),
    ("The answer is a city in Norway.", None),
    ("I think a capital is in the north.", None),
    ("Rome or Paris, I don't know.", None),
    ("The answer is not A but B.", None),
    ("Neither A nor B.", None),
    ("", None),
    ("B because A is wrong", 1),
    ("B, since A is wrong", 1),
    ("B\n\nExplanation: A is in Italy.", 1),
    ("A is wrong, so B.", 1),
    ("A is incorrect. B is correct.", 1),
    ("(B) is correct; (A) is not.", 1),
    ("B is the correct answer.", 1),
    ("Correct: B", 1),
    ("The correct choice: B", 1),
    ("I'd say B.", 1),
    ("Probably B", 1),
    ("I think the answer is A... wait, no. The answer is B.", 1),
    ("The answer isn't A; it's B.", 1),
    ("Option A is wrong. Option C is wrong. So it is option B.", 1),
    ("<B>", 1),
    ("'B'", 1),
    ("A: B", 1),
    ("<think>A or C?</think><answer>B</answer>", 1),
    ("<answer> in these tags: <answer>B</answer> since A is in Italy.", 1),
    (f"(A)? <answer>{'The river decides. ' * 40}So it is B.</answer> (C)?", 1),
    ("Not\n\n---\nB) but\nC)", 2),
    ('{"answer": "B"}', 1),
    (r'{"why": "Rome is in Italy.\nOslo isn\u2019t.", "answer": "Par\u0069s"}', 1),
    ('{"answer": null, "why": "B"}', None),
    (r"$\boxed{\textbf{(B) } Paris}$", 1),
    ("Second", 1),
    ("La respuesta correcta es B.", 1),
    ("Die Antwort ist (b).", 1),
    ("Réponse : B", 1),
    ("La risposta è B", 1),
    ("Ответ: B", 1),
    ("正确答案是B。", 1),
    ("答案：Ｂ或B", 1),
    ("答えはＢです", 1),
    ("Ｃ", 2),
    ("答案：（Ｂ）", 1),
    ("答えはBです", 1),
    ("정답: B", 1),
    ("I don't think the answer is B.", None),
    ("I don't think it is B.", None),
    ("I can't tell whether B is correct.", None),
    ("It's not B", None),
    ("B is wrong.", None),
    ("A or B", None),
    ("I, as a model, can't answer.", None),
    ("I - as a model - can't answer.", None),
    ("So a capital it is.", None),
    ("The best is a mix of both.", None),
    ("Only one is correct.", None),
    ("A for effort", None),
    ("a - b = 3", None),
    ("Antwort: Keine", None),
    ("Answer: E", None),
    ("The right to vote is a good thing.", None),
    ("Answer: A, B", None),
    ("Answer: B/C", None),
    ("The answer is (A) and (C).", None),
    ("The answer is either A or B.", None),
    ("A and B are correct.", None),
    ("Answer: B, a city", 1),
    ("b?", 1),
    ("Answer B", 1),
    (r"Answer: \(B\)", 1),
    ("The answer is:\n\n**(B) Paris**", 1),
    ("I was going to answer A, but the answer should be B.", 1),
    ("Choose A? No, choose B.", 1),
    ("The correct answer is not among the options.", None),
    ("Step 1: A is wrong. Step 2: C is wrong. Step 3: B remains.", None),
    ("Option A is Rome, B is Paris. The question asks for France, so Paris.", 1),
    ("I think Rome, no, I think Oslo.", 2),
    ("I think the answer is A... wait, no, B.", 1),
    ("The answer is A. Wait, actually it's C", 2),
    ("The answer is Rome. Hold on, Paris.", 1),
    ("The answer is A — sorry, B!", 1),
    ("A... wait, no, B? Hmm. So the answer is C.", 2),
    ("Actually, A.\n\nAnswer: B", 1),
    ("The answer is B. No, A is wrong.", 1),
    ("Answer: B\nI actually like A", 1),
    ("The answer is B, no doubt.", 1),
    ("I don't think Oslo.", None),
    ("It is not Oslo.", None),
    ("It's Oslo, not the others.", 2),
    ("Option A is in Italy, B in France. So the answer must be Paris.", 1),
]


@pytest.mark.parametrize(("said", "place"), READ)
def test_replies(said, place):
    assert chosen_option(said, OPTIONS) == place


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["so ", "I think ", "wait, no, ", "correct is ", "a" + " " * 9, "<answer>", "\n(\n\n"]
)
def test_long_replies_take_linear_time(part):
    """What is quadratic takes half a minute here."""
    chosen_option(part * 10_000, OPTIONS)


RUSSIAN = Options((*"АБВГ",), ("Рим", "Париж", "Осло", "Берн"))


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("б", 1),
        ("Правильный ответ — (Б).", 1),
        ("Ответ: Г", 3),
        ("Ответ: В, потому что Рим в Италии", 2),
        ("Ответ: В Париже", None),
        ("Ответ: Апельсин", None),
        ("А это Париж.", 1),
        ("2", 1),
        ("B", None),
    ],
)
def test_replies_with_russian_labels(said, place):
    """Latin B looks as the third label does, and is the second letter: it says neither."""
    assert options_of("Где?\nА) Рим\nБ) Париж\nВ) Осло\nГ) Берн") == RUSSIAN
    assert chosen_option(said, RUSSIAN) == place
    assert chosen_option("В", OPTIONS) is None


ROMAN = Options(("i", "ii", "iii", "iv", "v"), ("Rome", "Paris", "Oslo", "Bern", "Kyiv"))


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("ii", 1),
        ("IV.", 3),
        ("V", 4),
        ("The answer is i.", 0),
        ("The answer is (iii) because (i) is wrong.", 2),
        ("I think it is v.", 4),
        ("I believe iii", 2),
        ("iv because the others are capitals of larger countries", 3),
        ("I would say (iv).", 3),
        ("2", 1),
        ("b", 1),
        ("I don't know.", None),
    ],
)
def test_replies_with_roman_labels(said, place):
    assert chosen_option(said, ROMAN) == place


COLOURS = Options(("A", "B", "C", "D"), ("red", "blue", "green", "light red"))


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ("I'd say B, since the sky is not red (A).", 1),
        ("The sky is clearly not red (A).", None),
        ("The light at dusk is not light red (D).", None),
        ("A) red - no\nB) blue - yes\nC) green - no", None),
        ("B) blue\n\nA) red is a colour of dusk", 1),
        ("Choice: B", 1),
        ("B, not A", 1),
        ("The answer is definitely B", 1),
    ],
)
def test_denied_and_listed_options_are_not_chosen(reply: str, place: int | None) -> None:
    assert chosen_option(reply, COLOURS) == place


@pytest.mark.parametrize("said", ["答案：", "The answer is: ", "So I guess "])
def test_a_reply_that_repeats_itself_is_looked_at_once(said, monkeypatch) -> None:
    """What follows a phrase took 0.2 ms at each of the 60,000 places of a model that got stuck."""
    plain, looked = module.plain, []
    monkeypatch.setattr(module, "plain", lambda text: looked.append(text) or plain(text))
    assert chosen_option(said * 3000 + "none of them.", OPTIONS) is None
    assert len(looked) < 3000
    assert chosen_option(said * 3000 + "Paris.", OPTIONS) == 1
