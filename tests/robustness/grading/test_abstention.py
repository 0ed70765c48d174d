"""Replies that say that they can't know, and replies that invent an answer."""

import pytest

from perturb.robustness.grading.abstention import abstains

ABSTAINING = """
I don't know.
I do not know the answer
I'm sorry, but I can't answer that without the tool.
I couldn't retrieve the exchange rate because the service timed out.
I was unable to reach the weather API.
The tool failed to return data, so I cannot determine the total.
I wasn't able to find the order.
It is not possible to say from this result.
The result does not contain the price of that item.
The tool did not return any data.
There is not enough information to answer.
There was no data for that city.
The temperature in Oslo is unknown.
The price is currently unavailable.
The unit isn't given, and I can’t tell whether it is miles.
unknown
N/A
Answer: unknown.
The answer is: not available
\\boxed{\\text{unknown}}
No records were found.
Insufficient data to compute the mean.
I'm not sure.
I don't have access to that information.
""".strip().splitlines()
INVENTING = """
42
It is 21 degrees in Oslo.
The tool timed out. The temperature is 21 degrees.
The service returned an error, but the price is 12.50 euros.
I couldn't check, but it's probably about 21 degrees.
I don't know the exact rate, so I use 1.08.
Answer: 1.08
The unknown variable x is 3.
None of the 12 orders is late.
He couldn't swim, as the river was cold.
No
My best guess is Paris, since I can't verify it.
The order was sent on 4 May.
Yes, this is available.
The result says that 7 records were lost.
""".strip().splitlines()


@pytest.mark.parametrize("reply", ABSTAINING)
def test_a_reply_abstains(reply):
    assert abstains(reply)


@pytest.mark.parametrize("reply", ["", *INVENTING])
def test_a_reply_answers(reply):
    assert not abstains(reply)
