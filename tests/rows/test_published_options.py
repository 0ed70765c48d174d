"""Options of published benchmarks, as these lay them out: the right one stays right."""

import pytest

import perturb

# Rows as their publishers lay them out, the call, and a path to the right option's text.
PUBLISHED = {
    "ARC (AllenAI's JSON)": (
        {
            "question": {
                "stem": "Which is alive?",
                "choices": [
                    {"text": "a rock", "label": "1"},
                    {"text": "a tree", "label": "2"},
                    {"text": "a lamp", "label": "3"},
                ],
            },
            "answerKey": "2",
        },
        {"choices": "question.choices[*].text", "target": "answerKey"},
        lambda row: row["question"]["choices"][int(row["answerKey"]) - 1]["text"],
    ),
    "ARC, OpenBookQA, CommonsenseQA (Hugging Face)": (
        {"choices": {"text": ["a rock", "a tree", "a lamp"], "label": ["A", "B", "C"]}, "k": "B"},
        {"choices": "choices.text", "target": "k"},
        lambda row: row["choices"]["text"]["ABC".index(row["k"])],
    ),
    "MMLU": (
        {"question": "Which?", "choices": ["a rock", "a tree", "a lamp", "3"], "answer": 1},
        {"field": "question", "choices": "choices", "target": "answer"},
        lambda row: row["choices"][row["answer"]],
    ),
    "MMLU (CSV)": (
        {"question": "Which?", "A": "a rock", "B": "a tree", "C": "a lamp", "D": "x", "t": "B"},
        {"field": "question", "choices": [*"ABCD"], "target": "t"},
        lambda row: row[row["t"]],
    ),
    "MMLU-Pro": (
        {"options": ["a rock", "a tree", "a lamp"], "answer": "B", "answer_index": 1},
        {"choices": "options", "target": ["answer", "answer_index"]},
        lambda row: (
            row["options"][row["answer_index"]]
            if "ABC"[row["answer_index"]] == row["answer"]
            else ""
        ),
    ),
    "BBH": (
        {"input": "Which?\nOptions:\n(A) a rock\n(B) a tree\n(C) a lamp", "target": "(B)"},
        {"field": "input", "target": "target"},
        lambda row: next(
            line[4:] for line in row["input"].split("\n") if line.startswith(row["target"])
        ),
    ),
    "BBQ": (
        {"context": "They met.", "ans0": "a rock", "ans1": "a tree", "ans2": "Unknown", "label": 1},
        {"field": "context", "choices": ["ans0", "ans1", "ans2"], "target": "label"},
        lambda row: row[f"ans{row['label']}"],
    ),
    "HellaSwag": (
        {"ctx": "He", "endings": ["a rock", "a lamp", "a box", "a tree"], "label": "3"},
        {"field": "ctx", "choices": "endings", "target": "label"},
        lambda row: row["endings"][int(row["label"])],
    ),
    "SWAG": (
        {"sent1": "He", "ending0": "a rock", "ending1": "a tree", "ending2": "x", "label": 1},
        {"choices": ["ending0", "ending1", "ending2"], "target": "label"},
        lambda row: row[f"ending{row['label']}"],
    ),
    "WinoGrande": (
        {"sentence": "_ grew.", "option1": "a rock", "option2": "a tree", "answer": "2"},
        {"field": "sentence", "choices": ["option1", "option2"], "target": "answer"},
        lambda row: row[f"option{row['answer']}"],
    ),
    "PIQA": (
        {"goal": "Grow.", "sol1": "a rock", "sol2": "a tree", "label": 1},
        {"field": "goal", "choices": ["sol1", "sol2"], "target": "label"},
        lambda row: row[f"sol{row['label'] + 1}"],
    ),
    "COPA": (
        {"premise": "It grew.", "choice1": "a rock", "choice2": "a tree", "label": 1},
        {"field": "premise", "choices": ["choice1", "choice2"], "target": "label"},
        lambda row: row[f"choice{row['label'] + 1}"],
    ),
    "SocialIQA": (
        {
            "question": "Why?",
            "answerA": "a rock",
            "answerB": "a tree",
            "answerC": "x",
            "label": "2",
        },
        {"choices": ["1=answerA", "answerB", "answerC"], "target": "label"},
        lambda row: row["answer" + " ABC"[int(row["label"])]],
    ),
    "MedQA": (
        {
            "options": {"A": "a rock", "B": "a tree", "C": "x"},
            "answer": "a tree",
            "answer_idx": "B",
        },
        {"choices": "options", "target": ["answer", "answer_idx"]},
        lambda row: row["options"][row["answer_idx"]] if row["answer"] == "a tree" else "",
    ),
    "MedMCQA": (
        {"question": "Q", "opa": "a rock", "opb": "a tree", "opc": "x", "opd": "y", "cop": 1},
        {"choices": ["opa", "opb", "opc", "opd"], "target": "cop"},
        lambda row: row["op" + "abcd"[row["cop"]]],
    ),
    "TruthfulQA mc1 and mc2": (
        {
            "mc1_targets": {"choices": ["a tree", "a rock", "x"], "labels": [1, 0, 0]},
            "mc2_targets": {"choices": ["a tree", "a rock", "x"], "labels": [1, 0, 0]},
        },
        {
            "choices": ["mc1_targets.choices", "mc2_targets.choices"],
            "target": ["mc1_targets.labels", "mc2_targets.labels"],
        },
        lambda row: row["mc1_targets"]["choices"][row["mc1_targets"]["labels"].index(1)],
    ),
    "RACE": (
        {"article": "x", "options": ["a rock", "a tree", "x", "y"], "answer": "B"},
        {"choices": "options", "target": "answer"},
        lambda row: row["options"]["ABCD".index(row["answer"])],
    ),
    "AQuA-RAT": (
        {"question": "Q", "options": ["A)a rock", "B)a tree", "C)x"], "correct": "B"},
        {"choices": "options", "target": "correct"},
        lambda row: row["options"]["ABC".index(row["correct"])][2:],
    ),
    "inspect": (
        {"input": "Q", "choices": ["a rock", "a tree", "x"], "target": ["B"]},
        {"choices": "choices", "target": "target"},
        lambda row: row["choices"]["ABC".index(row["target"][0])],
    ),
    "promptfoo, a pair of replies": (
        {"responses": ["a rock\n\nor so", "a tree"], "winner": "B"},
        {"choices": "responses", "target": "winner"},
        lambda row: row["responses"]["AB".index(row["winner"])],
    ),
    "Anki and quizzes": (
        {"answers": [{"answer": "a rock", "ok": False}, {"answer": "a tree", "ok": True}]},
        {"choices": "answers[*].answer", "target": "answers[*].ok"},
        lambda row: next(each["answer"] for each in row["answers"] if each["ok"]),
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_layouts(name):
    row, call, right = PUBLISHED[name]
    made = list(perturb.augment([{"id": "q", **row}], "option_shuffle", replicates=4, **call))
    assert right(row) == "a tree"
    for each in made:
        assert (right(each), each["perturbation"]["status"]) == ("a tree", "changed")
        assert perturb.restored(each) == {"id": "q", **row}
        assert perturb.verify(each)
    # Noise leaves the options alone.
    (noisy,) = perturb.augment([{"id": "q", **row}], "keyboard_typos", p=0.5, **call)
    if "choices" in call:
        assert right(noisy) == "a tree"
