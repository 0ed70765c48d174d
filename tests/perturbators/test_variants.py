"""Other numbers in word problems: the solution computes again, and the story stays possible."""

import json
import re
from fractions import Fraction

import pytest

import perturb
from perturb.cli import main
from perturb.plan.job import job_of
from perturb.stream.perturb_file import perturb_file

EGGS = {
    "id": "eggs",
    "question": "Ann has 16 eggs. She eats three of them, sells 5 and gives away the rest to 2 friends. "
    "How many eggs does each of them get?",
    "answer": "Ann keeps 16 - 3 - 5 = <<16-3-5=8>>8 eggs.\nEach friend gets 8 / 2 = <<8/2=4>>4.\n#### 4",
}
PROBLEMS = [
    EGGS,
    {
        "question": "A coat costs $80 and is sold at 20% off. Shoes cost $1,250. What do both cost?",
        "answer": "The coat is 80 * .2 = $<<80*.2=16>>16 cheaper.\nIt costs 80 - 16 = $<<80-16=64>>64."
        "\nAltogether it is 64 + 1250 = $<<64+1250=1314>>1,314.\n#### 1314",
    },
    {
        "question": "Tom reads 40 pages every day for a week, and then 15 more. How many are that?",
        "answer": "That is 40 * 7 = <<40*7=280>>280 and 280+15=295 pages.\n#### 295",
    },
    {
        "question": "A pen is $1.25 and a pad $3.50. What do 4 pens and 6 pads cost?",
        "answer": "Pens: 4*1.25=<<4*1.25=5>>5. Pads: 6*3.50=<<6*3.50=21>>21.\n5+21=<<5+21=26>>26\n#### 26",
    },
]
CHAIN = re.compile(r"<<([^<>=]*)=([^<>]*)>>")
IDS = [str(n) for n in range(60)]


def whole(problem):
    return problem["question"] + "\n\n" + problem["answer"]


def computed(source):
    """Evaluate sums and products by hand, from left to right: none of them has brackets."""
    total, sign, product = Fraction(0), 1, None
    tokens = re.findall(r"[\d.]+|[-+*/]", source)
    for operator, number in zip(["+", *tokens[1::2]], tokens[::2], strict=True):
        value = Fraction(number)
        if operator in "+-":
            total, sign, product = (
                total + sign * (product or 0),
                -1 if operator == "-" else 1,
                value,
            )
        else:
            product = product * value if operator == "*" else product / value
    return total + sign * product


def varied(text, **options):
    return perturb.apply([text] * len(IDS), "number_variant", p=1, id=IDS, **options)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_chain_holds_and_the_answer_is_that_of_the_last(problem):
    texts = {record.text for record in varied(whole(problem))}
    assert len(texts) > 20
    for text in texts:
        chains = CHAIN.findall(text)
        assert chains
        assert all(computed(source) == Fraction(result) for source, result in chains), text
        results = [*re.findall(r"[=>](\d+)(?= pages)", text), chains[-1][1]]
        assert text.endswith(f"#### {results[0]}")
        # What surrounds the numbers stays.
        plain = [re.sub(r"\d[\d,.]*\d|\d|\.\d+", "N", one) for one in (text, whole(problem))]
        words = r"\b(?:two|three|four|five|six)\b"
        assert re.sub(words, "W", plain[0]) == re.sub(words, "W", plain[1])


def test_numbers_keep_the_story_possible():
    for record in varied(whole(EGGS)):
        eggs, sold, friends = map(int, re.findall(r"\d+", record.text.split("\n\n")[0]))
        assert 10 <= eggs <= 32
        assert 2 <= friends < sold <= 9
        kept, each = map(int, re.findall(r">>(\d+)", record.text))
        assert kept > 0
        assert kept == each * friends
    for record in varied(whole(PROBLEMS[1])):
        assert 0 < int(re.search(r"(\d+)%", record.text)[1]) <= 40
        assert re.search(r"\$\d,\d{3}\.", record.text)
    days = {re.search(r"\* (\d+) =", record.text)[1] for record in varied(whole(PROBLEMS[2]))}
    assert days == {"7"}


def test_the_answer_of_a_row_follows_and_the_row_comes_back():
    rows = [{**problem, "id": str(n)} for n, problem in enumerate(PROBLEMS)]
    made = list(
        perturb.augment(
            rows, "number_variant", p=1, field="question", target="answer", replicates=3
        )
    )
    assert len(made) == 3 * len(rows)
    for row in made:
        assert (row["perturbation"]["status"], row["perturbation"]["expect"]) == (
            "changed",
            "mapped",
        )
        original = rows[int(row["perturbation"]["original_id"])]
        assert row["question"] != original["question"]
        assert row["answer"] != original["answer"]
        assert perturb.restored(row) == original
        assert perturb.verify(row)


@pytest.mark.parametrize("answer", ["10", 10])
def test_an_expression_in_a_field_is_computed_again(answer):
    row = {
        "id": "a",
        "q": "Bo has 12 cards, and 8 in each of 3 boxes. He loses 26. How many are left?",
    }
    row |= {"equation": "12+8*3-26", "answer": answer}
    target = ["equation", "answer"]
    seen = set()
    for made in perturb.augment(
        [row], "number_variant", p=1, field="q", target=target, replicates=20
    ):
        assert computed(made["equation"]) == int(made["answer"])
        assert type(made["answer"]) is type(answer)
        assert re.findall(r"\d+", made["q"]) == re.findall(r"\d+", made["equation"])
        assert perturb.restored(made) == row
        seen.add(made["q"])
    assert len(seen) > 10


@pytest.mark.parametrize("wrong", [41, 41.5, "41"])
def test_a_row_whose_answer_no_chain_computes_is_left_alone(tmp_path, capsys, wrong):
    """One beside it varies, with an answer that follows; so do its records, in every way."""
    row = {"id": "a", "q": EGGS["question"], "s": EGGS["answer"], "n": wrong}
    right = {**row, "id": "b", "n": type(wrong)(4)}
    file, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    file.write_text(f"{json.dumps(row)}\n{json.dumps(right)}\n")
    call = ["number_variant", "-p", "1", "--field", "q", "--target", "s", "--target", "n"]
    assert main(["apply", *call, "-i", str(file), "-o", str(out)]) == 0
    left, varied = map(json.loads, out.read_text().splitlines())
    statuses = [each["perturbation"]["status"] for each in (left, varied)]
    assert (statuses, left["s"], left["n"]) == (["no site", "changed"], row["s"], wrong)
    assert varied["s"].split()[-1] == f"{float(varied['n']):g}"
    told = "left some rows as they were: no chain of the text computes the answer"
    assert (told in capsys.readouterr().err) == (type(wrong) is not str)
    assert main(["verify", str(out), "--input", str(file)]) == 0
    assert perturb.restored(varied) == right
    made = perturb.augment([row, right], "number_variant", p=1.0, field="q", target=["s", "n"])
    assert list(made) == [left, varied]


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ("<<16-3=12>>12\n#### 12", "a chain that doesn't compute"),
        ("<<16/0=12>>12\n#### 12", "a chain that doesn't compute"),
        ("<<16**3=4096>>4096\n#### 4096", "a chain that can't be read"),
        ("<<__import__('os')=1>>1\n#### 1", "a chain that can't be read"),
        ("<<" + "(" * 300 + "16" + ")" * 300 + "=16>>16\n#### 16", "a chain that can't be read"),
        ("<<999999999*999999999=1>>1\n#### 1", "a chain that doesn't compute"),
        ("<<16-3=13>>13\nSo she has 3.\n#### 3", "no answer that a chain computes"),
        ("<<16*47=752>>752\n#### 752", "an operand that neither the question nor a chain gives"),
        (
            "<<16-3=13>>13, and 977 more.\n#### 13",
            "a number of the solution that no chain computes",
        ),
        ("<<7-1=6>>6\n#### 6", "only facts, and numbers that may be two things"),
        ("<<3+3=6>>6 " * 70 + "\n#### 6", "too many chains"),
    ],
)
def test_what_cant_be_computed_is_left_alone_with_the_reason(solution, reason):
    question = "Ann has 16 eggs and eats 3 of them in a week. How many are left?\n\n"
    record = perturb.apply(question + solution, "number_variant", p=1)
    assert record.status == "no site"
    assert record.steps[0].note == {"refused": [reason]}


def test_a_text_without_a_chain_has_nothing_to_say():
    record = perturb.apply("Ann has 16 eggs and eats 3.", "number_variant", p=1)
    assert (record.status, record.steps[0].note) == ("no site", None)


@pytest.mark.parametrize(
    ("question", "solution", "stays"),
    [
        # A fraction, a time, an ordinal, a year, a note of money, legs.
        ("Of 30 cats 2/3 leave", "<<30*2/3=20>>20\n#### 20", "2/3"),
        ("From 8:30 on 8 cats meet 9 dogs", "<<8+9=17>>17\n#### 17", "8:30 on 8 "),
        ("On the 5th day 5 cats meet 9 dogs", "<<5+9=14>>14\n#### 14", "5th day 5 "),
        ("In 1998 there were 30 cats and 9 dogs", "<<30-9=21>>21\n#### 21", "1998"),
        ("He has 4 twenty dollar bills and $9", "4*20=80, 80+9=<<80+9=89>>89\n#### 89", " twenty "),
        ("How many legs have 9 cats with 4 legs each?", "<<9*4=36>>36\n#### 36", " 4 legs"),
        ("Mia and Bo eat 16 pies. What do the 2 eat each?", "<<16/2=8>>8\n#### 8", "the 2 eat"),
        ("They ate for 3 days. All 3 days they ate 9 pies", "<<3*9=27>>27\n#### 27", "All 3 days"),
        # The 5 is a sum, and a 1 less or more may have been computed in silence.
        ("4 times as much as Bo and 30", "<<30/5=6>>6 <<6*4=24>>24\n#### 24", "4 times"),
        (
            "Of 40% boys there are 80, and the girls",
            "<<80/40=2>>2 <<60*2=120>>120\n#### 120",
            "40%",
        ),
        # Half is a two, and the 2 of the text may be that.
        ("2 girls eat half of 18 pies each", "<<18/2=9>>9 <<9*2=18>>18\n#### 18", "2 girls"),
        # 60 % and 40 % are the whole; 10 pets are 3 cats and 7 dogs.
        ("Of 50 cats 60% are old, 40% young", "<<50*60/100=30>>30\n#### 30", "60% are old, 40%"),
        (
            "Of 10 pets 3 are cats and 8-1=7 dogs; 3 cats eat 9 pies, ",
            "<<3*9=27>>27\n#### 27",
            " 3 ",
        ),
    ],
)
def test_facts_and_parts_of_something_else_stay(question, solution, stays):
    for record in varied(f"{question}.\n\n{solution}"):
        assert stays in record.text


def test_problems_of_one_text_vary_by_themselves_and_nested():
    shots = "\n\n".join(whole(problem) for problem in PROBLEMS)
    edits = []
    for p in (0.25, 0.5, 1.0):
        record = perturb.apply(shots, "number_variant", p=p, seed=3)
        edits.append({(edit.start, edit.end, edit.text) for edit in record.edits})
        assert all(computed(a) == Fraction(b) for a, b in CHAIN.findall(record.text))
    assert edits[0] < edits[1] < edits[2]


def test_a_protected_number_keeps_its_group():
    text = whole(EGGS)
    record = perturb.apply(text, "number_variant", p=1, protect=["word:16"])
    assert (record.text, record.status) == (text, "protected")


SQUAD = {
    "number_format": (
        {"to": "words"},
        "The team won 24 games, lost 15 and drew 24 times.",
        "Who won 24 games?",
        "24",
        "twenty-four",
    ),
    "number_format#2": (
        {"to": "separators"},
        "It had 12500 seats; 12500 fans came.",
        "What had 12500 seats?",
        "12500",
        "12,500",
    ),
    "date_format": (
        {},
        "Born on March 5, 1998, she won on May 6, 2020. On March 5, 1998 it snowed.",
        "Where was she born on March 5, 1998?",
        "March 5, 1998",
        None,
    ),
    "unit_format": (
        {"mode": "scale"},
        "The wall is 5 km long. After 5 km, it turns for 20 km.",
        "Where is the wall of 5 km?",
        "5 km",
        None,
    ),
    "currency_format": (
        {},
        "The seat cost $500, and later $800. He paid $500.",
        "Who paid $500 for it?",
        "$500",
        None,
    ),
}


@pytest.mark.parametrize("name", SQUAD)
@pytest.mark.parametrize("p", [0.5, 1.0])
def test_question_context_and_answer_change_alike(name, p):
    options, context, question, answer, wanted = SQUAD[name]
    step = getattr(perturb.steps, name.partition("#")[0])(p=p, **options)
    changed = 0
    for number in range(20):
        row = {
            "id": str(number),
            "context": context,
            "question": question,
            "answers": {"text": [answer]},
        }
        (made,) = perturb.augment(
            [row], step, field=["context", "question"], target="answers.text[*]"
        )
        now = made["answers"]["text"][0]
        assert made["context"].count(now) == context.count(answer)
        assert made["question"] == question.replace(answer, now)
        assert wanted is None or now in (answer, wanted)
        assert perturb.restored(made) == row
        assert made["perturbation"]["expect"] == ("mapped" if now != answer else "same")
        changed += now != answer
    assert changed == 20 if p == 1 else 0 < changed < 20


@pytest.mark.parametrize("name", ["number_format", "currency_format"])
def test_lines_and_rows_agree(tmp_path, name):
    rows = [
        {
            "id": "a",
            "context": "He paid $500 for 24 eggs; 24 is much.",
            "question": "Why 24, why $500?",
            "answer": "24",
        },
        {"id": "b", "context": "It has $7.", "question": "What?", "answer": "$7"},
    ]
    options = {"field": ["context", "question"], "target": "answer", "p": 1, "seed": 2}
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    perturb_file(str(source), str(output), job_of(name, **options))
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert lines == list(perturb.augment(rows, name, **options))
