"""Live tools with faults: keyed by the call, recorded, and the same again."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import perturb
from perturb.integrations.tools import wrap

PRICES = {"eggs": 3, "milk": 12, "bread": 7, "salt": 25}


def price(item: str, currency: str = "EUR") -> dict:
    """Look up a price."""
    return {"item": item, "price": PRICES[item], "currency": currency, "seen": "2024-05-01"}


def test_a_call_has_its_own_fault_whatever_came_before() -> None:
    first = wrap(price, "tool_result", seed=3)
    second = wrap(price, "tool_result", seed=3)
    calls = [first(item) for item in PRICES]
    assert [second(item) for item in reversed(PRICES)] == calls[::-1]
    assert first("eggs") == first(item="eggs") == first(currency="EUR", item="eggs")
    assert len({json.dumps(each) for each in calls}) == 4
    assert (first.__name__, first.__doc__) == ("price", "Look up a price.")


def test_arguments_are_the_same_by_place_and_by_name() -> None:
    records = []
    faulty = wrap(price, "tool_result", log=records.append)
    assert faulty("eggs", "USD") == faulty(currency="USD", item="eggs")
    assert {one.original_id for one in records} == {'price(currency="USD", item="eggs")'}


def test_records_verify_and_say_what_was_done() -> None:
    records = []
    faulty = wrap(price, "tool_result:kind=number", log=records.append)
    for item in PRICES:
        made = faulty(item)
        assert made["price"] != PRICES[item]
    assert [one.status for one in records] == ["changed"] * 4
    assert all(map(perturb.verify, records))
    assert json.loads(records[0].restore()) == price("eggs")


def test_a_retry_sees_the_same_fault_or_the_next() -> None:
    same = wrap(price, "tool_result:kind=error", seed=1)
    assert len({json.dumps(same("eggs")) for _ in range(8)}) == 1
    records = []
    following = wrap(price, "tool_result:kind=error", seed=1, retry="next", log=records.append)
    assert len({json.dumps(following("eggs")) for _ in range(8)}) > 2
    assert records[1].original_id == 'price(currency="EUR", item="eggs")#1'
    assert all(map(perturb.verify, records))


def test_async_retries_and_those_of_threads_see_the_next_fault_once() -> None:
    async def later(item: str) -> dict:
        await asyncio.sleep(0)
        return price(item)

    class Tool:
        async def __call__(self, item: str) -> dict:
            return price(item)

    step = "tool_result:kind=error"

    async def tries(faulty):
        return [
            json.dumps(one) for one in await asyncio.gather(*(faulty("eggs") for _ in "12345678"))
        ]

    for tool in (later, Tool()):
        (same,) = {*asyncio.run(tries(wrap(tool, step, seed=1)))}
        records = []
        found = asyncio.run(tries(wrap(tool, step, seed=1, retry="next", log=records.append)))
        assert same == found[0]
        assert len({*found}) > 2
        assert [one.replicate for one in records] == [*range(8)]
        assert all(map(perturb.verify, records))
    records = []
    faulty = wrap(price, step, seed=1, retry="next", log=records.append)
    with ThreadPoolExecutor(8) as threads:
        [*threads.map(faulty, ["eggs"] * 200)]
    assert sorted(one.replicate for one in records) == [*range(200)]


def test_async_tools_and_threads() -> None:
    async def later(item: str) -> str:
        await asyncio.sleep(0)
        return json.dumps(price(item))

    faulty = wrap(later, "tool_result:kind=reordered,p=1 tool_result:kind=stale")

    async def all_of_them():
        return await asyncio.gather(*map(faulty, PRICES))

    results = asyncio.run(all_of_them())
    assert all("2024" not in each for each in results)
    plain = wrap(price, "tool_result", seed=9)
    alone = list(map(plain, PRICES))
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(wrap(price, "tool_result", seed=9), PRICES)) == alone


def test_what_is_no_tool_or_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="takes the function of a tool; got 'x'"):
        wrap("x", "tool_result")
    with pytest.raises(
        perturb.UsageError,
        match=r"retry is .* got 'never'",
    ):
        wrap(price, "tool_result", retry="never")
    with pytest.raises(perturb.UsageError, match="the argument item can't be written as JSON"):
        wrap(lambda item: 1, "tool_result")(object())
    with pytest.raises(perturb.UsageError, match=r"the result of .* can't be written as JSON"):
        wrap(lambda: object(), "tool_result")()

    def raises() -> str:
        raise KeyError("gone")

    with pytest.raises(KeyError):
        wrap(raises, "tool_result")()


KINDS = ("missing", "error", "number", "reordered")
QUESTIONS = [{"id": f"q{n}", "question": f"{a} {b}", "answer": PRICES[a] + PRICES[b]}
             for n, (a, b) in enumerate((a, b) for a in PRICES for b in PRICES if a < b)]  # fmt: skip


def answered(agent):
    """Rows of an agent's answers, with its tool as it is and under each kind of fault."""
    for row in QUESTIONS * 8:
        yield {**row, "prediction": agent(row["question"], price)}
    for kind in KINDS:
        faulty = wrap(price, f"tool_result:kind={kind}")
        for row in QUESTIONS * 8:
            yield {**row, "kind": kind, "prediction": agent(row["question"], faulty)}


@pytest.mark.parametrize(
    ("agent", "wrong"),
    [
        # One that follows its tools answers otherwise under each fault but another order.
        (lambda asked, tool: sum(tool(item).get("price", 0) if isinstance(tool(item), dict) else 0
                                 for item in asked.split()), {"missing", "error", "number"}),
        # One that ignores them, or always says the same, never does.
        (lambda asked, _: sum(PRICES[item] for item in asked.split()), set()),
        (lambda *_: 7, set()),
    ],
)  # fmt: skip
def test_an_agent_that_follows_its_tools_and_one_that_ignores_them(agent, wrong) -> None:
    rows = list(answered(agent))
    clean = {row["id"]: row["prediction"] for row in rows if "kind" not in row}
    off = {row["kind"] for row in rows if "kind" in row and row["prediction"] != clean[row["id"]]}
    assert off == wrong
