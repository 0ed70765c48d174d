"""A planner that uses tools, beside one that ignores them and a constant: what a verdict says.

The three are asked under every fault of a result and every change of the tools on offer.
"""

import re

import pytest

import perturb
from perturb.integrations.tools import wrap
from perturb.robustness import score

ORDERS = {at: [(at * 7 + 3 * place) % 89 + 10 for place in range(3)] for at in range(150)}
UNKNOWN = "I couldn't find the price, since the tool failed."
# What becomes of the right answer is the default of each kind, but where this tool says more: the
# question is about no date and no weight, and a price less or another digit moves most answers.
KINDS = {
    **dict.fromkeys(["missing", "error", "wrong_type", "reordered"]),
    **dict.fromkeys(["stale", "wrong_unit"], "same"),
    **dict.fromkeys(["truncated", "number"], "other"),
}


def find_order(number: int) -> dict:
    items = [{"name": f"item {at}", "price": price} for at, price in enumerate(ORDERS[number])]
    return {"seen": "2024-05-01", "weight": "12 kg", "items": items}


def dearest(items: list[dict]) -> str:
    return f"{max(float(item['price']) for item in items):g}"


def planner(question: str, tool) -> str:
    """Call the tool, once more if it fails, and read the price; or say that nobody can know it."""
    number = int(re.search(r"\d+", question)[0])
    for _ in range(2):
        result = tool(number)
        if isinstance(result, dict) and result.get("items"):
            return dearest(result["items"])
    return UNKNOWN


def inventive(question: str, tool) -> str:
    """Do the same, but make up every second price that is lost."""
    found = planner(question, tool)
    return "42" if found == UNKNOWN and int(re.search(r"\d+", question)[0]) % 2 else found


def ignoring(question: str, _) -> str:
    """Know all prices, whatever the tool says."""
    return str(max(ORDERS[int(re.search(r"\d+", question)[0])]))


def constant(*_) -> str:
    return "42"


def answered(system):
    """Yield the answers with the tool as it is and with each fault, each with its record."""
    for number, prices in ORDERS.items():
        question = f"What does the dearest item of order {number} cost?"
        row = {"id": str(number), "answer": str(max(prices))}
        yield {**row, "prediction": system(question, find_order)}
        for kind, expect in KINDS.items():
            records: list[perturb.Record] = []
            step = f"tool_result:kind={kind},valid=true"
            tool = wrap(find_order, step, seed=5, log=records.append)
            said = system(question, tool)
            if not records:  # it never asked: what it would have got
                tool(number)
            link = {**records[0].to_dict()["perturbation"], "original_id": row["id"]}
            link["expect"] = expect or link["expect"]
            del link["check"]  # of the result, not of this row
            yield {**row, "id": f"{number} {kind}", "prediction": said, "perturbation": link}


# By system: the verdict under each kind.
SAME, LOST, OTHER = ("stale", "wrong_type", "wrong_unit", "reordered"), ("missing", "error"), (
    "truncated", "number")  # fmt: skip
VERDICTS = {
    planner: ("robust", "abstains", "sensitive"),
    inventive: ("robust", "invents", "sensitive"),
    ignoring: ("robust", "invents", "insensitive"),
    constant: ("cannot judge", "cannot judge", "insensitive"),
}


@pytest.mark.slow
@pytest.mark.parametrize("system", VERDICTS)
def test_what_a_verdict_says_of_a_planner_under_every_fault(system) -> None:
    scored = score(answered(system))
    found = {}
    for one in scored.conditions:
        found[re.search(r"kind=(\w+)", str(one))[1]] = one.verdict
    expected = zip((SAME, LOST, OTHER), VERDICTS[system], strict=True)
    assert found == {kind: word for kinds, word in expected for kind in kinds}
    if system is inventive:
        assert "Invents an answer in 50 % of cases under tool_result kind=error" in scored.sentence


TOOLS = [
    {"name": "send_mail", "description": "Send a message to a customer.", "input_schema": {
        "type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}}}},
    {"name": "get_price", "description": "Get the current price of an item in the shop.",
        "input_schema": {"type": "object", "properties": {"item": {"type": "integer"},
        "currency": {"type": "string"}}}},
    {"name": "cancel_order", "description": "Cancel an order that was not sent yet.",
        "input_schema": {"type": "object", "properties": {"order": {"type": "integer"}}}},
]  # fmt: skip


def words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+", text)}


def reading(row) -> str:
    """Take the tool whose name and description have most in common with the question."""
    asked = words(row["question"])
    scores = [
        len(asked & (words(tool["name"]) | words(tool["description"]))) for tool in row["tools"]
    ]
    tool = row["tools"][scores.index(max(scores))]
    called = "item" in tool["input_schema"]["properties"] and "manual" not in tool["description"]
    return row["answer"] if called else UNKNOWN


def by_heart(row) -> str:
    """Know one tool by its name."""
    return row["answer"] if "get_price" in [tool["name"] for tool in row["tools"]] else UNKNOWN


def first(row) -> str:
    """Know one tool by its place."""
    return row["answer"] if "price" in str(row["tools"][1]).lower() else UNKNOWN


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "breaks"),
    [(reading, set()), (by_heart, {"name"}), (first, {"order", "decoy"}), (constant, None)],
)
def test_what_a_verdict_says_of_systems_that_are_offered_other_tools(system, breaks) -> None:
    rows = [
        {"id": f"{at}", "question": f"What is the price of item {at} in the shop?", "tools": TOOLS,
         "answer": str(at * 7 % 89 + 100)}
        for at in ORDERS
    ]  # fmt: skip
    steps = perturb.grid([f"tool_schema:kind={kind},p=1" for kind in
                          ("name", "description", "order", "decoy")])  # fmt: skip
    made = perturb.augment(rows, steps, field="tools", with_original=True)
    scored = score([{**row, "prediction": system(row)} for row in made])
    found = {  # the default kind is not in a condition's name
        one.perturbator.partition("kind=")[2] or "name": one.verdict
        for one in scored.conditions
        if one.scope == "all"
    }
    if breaks is None:
        assert {*found.values()} == {"cannot judge"}
    else:
        assert found == {
            kind: "worse" if kind in breaks else "robust"
            for kind in ("name", "description", "order", "decoy")
        }
