"""Rows of each published layout, made for the tests after its source."""

import json

from perturb.plan.shapes import shapes

SHAPES = shapes()

ASKED = "How many eggs do {n} hens lay on the farm in a day?"
TEXTS = ["about {n} eggs", "sixteen eggs", "no eggs at all", "a dozen of them"]
LETTERS = [*"ABCD"]
OPTIONS = {f"op{at.lower()}": text for at, text in zip(LETTERS, TEXTS, strict=True)}
AI2 = {
    "id": "Q{n}",
    "question": {
        "stem": ASKED,
        "choices": [{"text": text, "label": at} for at, text in zip(LETTERS, TEXTS, strict=True)],
    },
    "answerKey": "C",
}
HUB = {"id": "Q{n}", "choices": {"text": TEXTS, "label": LETTERS}, "answerKey": "C"}
TARGETS = {
    "mc1_targets": {"choices": TEXTS, "labels": [0, 0, 1, 0]},
    "mc2_targets": {"choices": TEXTS, "labels": [0, 1, 1, 0]},
}
CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": ASKED}]
PAIR = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "Sixteen."}]
TOOL = {"name": "count_eggs", "description": "Count the eggs of {n} hens."}
ANSWERS = [{"text": "{n} hens", "answer_start": 0}]
QAS = {"id": "q{n}", "question": ASKED, "answers": ANSWERS, "is_impossible": False}
ARTICLE = {"title": "Eggs", "paragraphs": [{"context": "{n} hens lay eggs.", "qas": [QAS]}]}


def labelled(start, text):
    """The value of a result of Label Studio."""
    return {"start": start, "end": start + len(text), "text": text, "labels": ["X"]}


# A row, or what the outermost list of a file holds.
ROWS = {
    "arc": AI2,
    "arc_hub": {"question": ASKED, **HUB},
    "commonsenseqa": AI2,
    "openbookqa": AI2,
    "openbookqa_hub": {"question_stem": ASKED, **HUB},
    "mmlu": {"question": ASKED, "subject": "farming", "choices": TEXTS, "answer": 2},
    "mmlu_pro": {
        "question_id": "{n}",
        "question": ASKED,
        "options": TEXTS,
        "answer": "C",
        "answer_index": 2,
    },
    "race": {
        "example_id": "high1.txt",
        "article": "{n} hens lay eggs.",
        "question": ASKED,
        "options": TEXTS,
        "answer": "C",
    },
    "aqua": {
        "question": ASKED,
        "options": [f"{at}){text}" for at, text in zip(LETTERS, TEXTS, strict=True)],
        "rationale": "Count them.",
        "correct": "C",
    },
    "bbh": {
        "input": ASKED + "\nOptions:\n(A) {n} eggs\n(B) sixteen eggs\n(C) none",
        "target": "(C)",
    },
    "bigbench": {"input": ASKED, "target_scores": {"sixteen": 1, "none": 0}},
    "bbq": {
        "example_id": "{n}",
        "context": "A hen and a farmer, both {n} years old, met.",
        "question": ASKED,
        **{f"ans{at}": text for at, text in enumerate(TEXTS[:3])},
        "label": 2,
    },
    "hellaswag": {"ind": "{n}", "ctx": ASKED, "endings": TEXTS, "label": "2"},
    "winogrande": {"sentence": ASKED, "option1": TEXTS[0], "option2": TEXTS[1], "answer": "2"},
    "piqa": {"goal": ASKED, "sol1": TEXTS[0], "sol2": TEXTS[1], "label": 1},
    "medqa": {
        "question": ASKED,
        "options": dict(zip(LETTERS, TEXTS, strict=True)),
        "answer": TEXTS[2],
        "answer_idx": "C",
    },
    "medmcqa_hub": {"id": "m{n}", "question": ASKED, **OPTIONS, "cop": 2, "choice_type": "single"},
    "medmcqa": {"id": "m{n}", "question": ASKED, **OPTIONS, "cop": 3, "choice_type": "single"},
    "gpqa": {
        "Record ID": "rec{n}",
        "Question": ASKED,
        "Correct Answer": TEXTS[2],
        **{f"Incorrect Answer {at}": TEXTS[at % 3] for at in (1, 2, 3)},
    },
    "truthfulqa_mc1": {"question": ASKED, **TARGETS},
    "truthfulqa_mc2": {"question": ASKED, **TARGETS},
    "nq_open": {"question": ASKED, "answer": ["sixteen", "16"]},
    "triviaqa": {
        "QuestionId": "tc_{n}",
        "Question": ASKED,
        "Answer": {"Value": "Sixteen", "Aliases": ["Sixteen", "16"], "Type": "Numerical"},
    },
    "triviaqa_hub": {
        "question_id": "tc_{n}",
        "question": ASKED,
        "answer": {"value": "Sixteen", "aliases": ["Sixteen", "16"], "type": "Numerical"},
    },
    "simpleqa": {"metadata": "{'topic': 'Hens'}", "problem": ASKED, "answer": "16"},
    "boolq": {"question": ASKED, "title": "Hen", "passage": "{n} hens lay.", "answer": False},
    "gsm8k": {"question": ASKED, "answer": "16 eggs each.\n#### 16"},
    "svamp": {"ID": "chal-{n}", "Body": "{n} hens lay eggs", "Question": ASKED, "Answer": 16.0},
    "math_500": {"unique_id": "t/{n}.json", "problem": ASKED, "solution": "16.", "answer": "16"},
    "humaneval": {
        "task_id": "HumanEval/{n}",
        "prompt": f'def eggs(n):\n    """{ASKED}\n    >>> eggs({{n}})\n    16\n    """\n',
        "entry_point": "eggs",
        "canonical_solution": "    return 16\n",
    },
    "mbpp": {"task_id": "{n}", "text": ASKED, "code": "", "test_list": ["assert True"]},
    "mbpp_sanitized": {"task_id": "{n}", "prompt": ASKED, "code": "", "test_list": ["assert True"]},
    "squad": ARTICLE,
    "squad_context": ARTICLE,
    "squad_hub": {
        "id": "q{n}",
        "context": "{n} hens lay eggs.",
        "question": ASKED,
        "answers": {"text": ["{n} hens"], "answer_start": [0]},
    },
    "drop": {
        "passage": "{n} hens lay eggs.",
        "qa_pairs": [
            {"question": ASKED, "answer": {"number": "", "spans": ["{n} hens"]}, "query_id": "q{n}"}
        ],
    },
    "drop_hub": {
        "query_id": "q{n}",
        "passage": "{n} hens lay eggs.",
        "question": ASKED,
        "answers_spans": {"spans": ["{n} hens"], "types": ["span"]},
    },
    "nli": {"premise": ASKED, "hypothesis": "The {n} hens lay.", "label": 0},
    "xnli": {"language": "en", "gold_label": "neutral", "sentence1": ASKED, "sentence2": "{n}."},
    "sst2": {"sentence": 'a "very" good farm of {n} hens, "it seems', "label": "1"},
    "qnli": {"index": "{n}", "question": ASKED, "sentence": '"{n} hens.', "label": "entailment"},
    "rte": {"index": "{n}", "sentence1": ASKED, "sentence2": '"{n} hens.', "label": "entailment"},
    "qqp": {"id": "{n}", "question1": ASKED, "question2": '"{n} hens?', "is_duplicate": "0"},
    "conll2003": "The DT B-NP O\n{n} CD I-NP O\nhens NNS I-NP B-ORG\nlay VBP B-VP O\n\n",
    "label_studio": {
        "id": "{n}",
        "data": {"text": "😀 Hens lay in Łódź on {n} farms."},
        "annotations": [
            {
                "id": 7,
                "completed_by": 1,
                "result": [
                    {"type": "labels", "id": "a", "value": labelled(2, "Hens")},
                    {"type": "labels", "id": "b", "value": labelled(14, "Łódź")},
                    {"type": "relation", "from_id": "a", "to_id": "b", "labels": ["in"]},
                    {"type": "choices", "id": "c", "value": {"choices": ["good"]}},
                ],
            },
            {"id": 8, "completed_by": 2, "result": []},
            {"id": 9, "result": [{"type": "labels", "value": labelled(11, "in Łódź")}]},
        ],
        "predictions": [{"result": [{"type": "labels", "value": labelled(7, "lay")}]}],
    },
    "fewrel": [
        {
            "tokens": ["Wilton", "Bridge", "crosses", "the", "river", "{n}"],
            "h": ["wilton bridge", "Q1", [[0, 1]]],
            "t": ["river", "Q2", [[4]]],
        }
    ],
    "preference": {"prompt": ASKED, "chosen": "Sixteen.", "rejected": "None."},
    "preference_chat": {"chosen": PAIR, "rejected": PAIR},
    "sharegpt": {
        "id": "c{n}",
        "conversations": [{"from": "human", "value": ASKED}, {"from": "gpt", "value": "16."}],
    },
    "openai": {"messages": CHAT},
    "anthropic": {"system": "Be brief.", "messages": CHAT[1:]},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": ASKED}]}]},
    "openai_tools": {"messages": [*CHAT, {"role": "tool", "tool_call_id": "c", "content": ASKED}]},
    "openai_responses_tools": {
        "input": [CHAT[1], {"type": "function_call_output", "call_id": "c", "output": ASKED}]
    },
    "anthropic_tools": {
        "messages": [
            CHAT[1],
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "c", "content": ASKED}],
            },
        ]
    },
    "openai_schemas": {"messages": CHAT, "tools": [{"type": "function", "function": TOOL}]},
    "anthropic_schemas": {"messages": CHAT[1:], "tools": [{**TOOL, "input_schema": {}}]},
    "mcp": {"result": {"content": [{"type": "text", "text": ASKED}], "isError": False}},
    "openai_evals": {"input": CHAT, "ideal": "16"},
    "openai_batch": {
        "custom_id": "r{n}",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "m", "messages": CHAT},
    },
    "inspect": {"id": "{n}", "epoch": 1, "input": ASKED, "target": "16", "messages": CHAT},
    "helm": {"instance": {"input": {"text": ASKED}, "id": "id{n}", "references": []}},
    "lm_eval": {"doc_id": "{n}", "doc": {"question": ASKED}, "resps": [["16"]], "acc": 1.0},
    "promptfoo": {"vars": {"question": ASKED}, "assert": [{"type": "contains", "value": "16"}]},
    "mt_bench": {"question_id": "{n}", "category": "writing", "turns": [ASKED, "Why {n} hens?"]},
    "arena_hard": {"uid": "u{n}", "category": "hard_prompt", "prompt": ASKED},
    "ifeval": {
        "key": "{n}",
        "prompt": ASKED,
        "instruction_id_list": ["punctuation:no_comma"],
        "kwargs": [{}],
    },
    "alpaca": {"instruction": ASKED, "input": "", "output": "16"},
}
# What is around the rows in files that are one object.
AROUND = {
    "bbh": lambda rows: {"canary": "c", "examples": rows},
    "bigbench": lambda rows: {"name": "eggs", "metrics": ["m"], "examples": rows},
    "promptfoo": lambda rows: {"prompts": ["{{question}}"], "tests": rows},
    "squad": lambda rows: {"version": "v2.0", "data": rows},
    "drop": lambda rows: {f"nfl_{n}": row for n, row in enumerate(rows)},
    "triviaqa": lambda rows: {"Data": rows, "Version": 1.0},
    "fewrel": lambda rows: {f"P{n}": row for n, row in enumerate(rows)},
    "inspect": lambda rows: {"version": 2, "eval": {"task": "eggs"}, "samples": rows},
    "helm": lambda rows: {"adapter_spec": {"model": "m"}, "request_states": rows},
}
AROUND["squad_context"] = AROUND["squad"]
TABLES = ["xnli", "sst2", "qnli", "rte", "qqp"]
# Layouts that others have too: the first is the one that a hint names.
SAME = {"commonsenseqa": "arc", "openbookqa": "arc", "squad_context": "squad"}
SAME |= {"anthropic": "openai", "truthfulqa_mc2": "truthfulqa_mc1"}
SAME |= {"anthropic_schemas": "openai_schemas", "medmcqa": "medmcqa_hub"}
FURTHER = {"lm_eval": ["--field", "question"], "conll2003": ["--format", "conll"]}


def numbered(row, n):
    return json.loads(json.dumps(row).replace("{n}", str(n)))


def written(name, folder, count=24):
    """A file in the layout, as it is published."""
    rows = [numbered(ROWS[name], n) for n in range(count)]
    if name == "conll2003":
        path = folder / "eng.testa.txt"
        path.write_text("-DOCSTART- -X- O O\n\n" + "".join(rows))
    elif name in TABLES:
        path = folder / f"{name}.tsv"
        path.write_text(
            "".join("\t".join(row) + "\n" for row in [rows[0], *map(dict.values, rows)])
        )
    elif name in AROUND:
        path = folder / f"{name}.json"
        path.write_text(json.dumps(AROUND[name](rows), indent=1))
    else:
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
