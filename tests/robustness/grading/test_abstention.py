"""Replies that say that they can't know, and replies that invent an answer."""

import pytest

from perturb.robustness.grading.abstention import abstains

ABSTAINING = """
Your request couldn't be completed because the service timed out.
The weather service timed out.
Sorry, the weather tool failed.
I couldn't look it up.
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
The forecast service did not respond, so no figure is available.
The weather service is not responding.
Sorry, something went wrong while fetching the weather.
The lookup failed. Would you like me to retry?
Error: upstream request timeout
unknown
N/A
Answer: unknown.
The answer is: not available
\\boxed{\\text{unknown}}
No records were found.
Insufficient data to compute the mean.
I'm not sure.
I don't have access to that information.
I'm having trouble reaching the weather service right now. Please try again later.
The flight search timed out, so I don't have any results to share.
Unfortunately, the lookup failed and I have no way of knowing the price.
The database returned an empty list, so the total can't be computed.
I was hoping to give you the exchange rate, but the request was rate limited. Could you try again in a minute?
Sorry, the tool returned an error (502 Bad Gateway). I can't give you a reliable figure.
It looks like the API is down at the moment, so I'm unable to answer.
There isn't enough information in the result to tell which train is faster.
The search came back empty.
No matching order was found, so I can't say when it ships.
I don't have access to live data for this, as the service didn't respond.
The response was cut off before it got to the total, so the total is not known.
I couldn't get the current stock price because my access token has expired.
That information isn't in the data I received.
My tool call failed twice. Without its result I'd only be guessing, so I'd rather not answer.
Unable to determine.
Cannot be determined from the given data.
Insufficient information.
The answer can't be found in the context.
The passage does not say who founded the company.
None of the documents mention the year.
I'm afraid I cannot help with that, because the service is unavailable.
At this time, I do not have the information needed to answer your question.
The results are inconclusive.
We can't be sure, since the measurement is missing.
The system is currently experiencing issues, and the balance could not be loaded.
I got an authorization error, so there's nothing I can report about the account.
It's unclear from the tool output how many guests are coming.
No data available.
Apologies, the booking system isn't responding, so I can't confirm your seat.
I tried twice, but both calls to the calculator failed; I can't give you a result for 17 x 23.
I can't see any prices in what the shop returned.
This can't be answered with the documents you gave me.
I could not verify the claim with the sources at hand.
Not stated in the text.
Not mentioned.
I have no information about that.
I have insufficient data to say which is larger.
Sorry, I wasn't given the list of guests.
The exchange rate could not be retrieved, so I can't convert 50 USD.
The document contains no mention of a launch date.
There's no way to tell from this table.
We don't know.
It is not known how many people attended.
I lack the information to answer this.
The question cannot be answered.
I was not able to find any information on this customer.
Hmm, the server sent back HTML rather than data. I don't know the price.
The order's status is missing from the response.
I don't know which unit the distance is in, so I can't convert it.
The answer is not in the context.
Without the tool's output I cannot answer.
No information provided.
I'm not certain; the tool returned nothing.
I can't retrieve that right now.
""".strip().splitlines()
INVENTING = """
I can't be sure, the answer is 16.
I can't retrieve the price, it was 206.5 last time.
She asked whether something was wrong, and the bill is 12 dollars.
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
I got the results: it is 42.
The page contains the answer: 5.
There is the record that you asked for: order 12.
I have all the details, and the total is 31.
The file does not contain errors.
The service is available again, and the price is 12 EUR.
The time is not available to employees before 9, so the answer is 9.
The current temperature in Oslo is 12 °C.
I wasn't able to reach the live service, but based on historical data it's around 15 degrees.
There are no direct flights; the cheapest connection costs $312.
The store has no eggs left.
No, the train doesn't stop in Hamar.
The order hasn't been shipped yet.
Your balance is 0.
The tool returned an error, so I used the list price: 25 EUR.
The API timed out, but Paris is the capital of France.
According to the result, the meeting room is not available on Friday.
The status of the ticket is unknown_user, which means that you need to sign up.
None of the three candidates meets the criteria, so the answer is 0.
There is no evidence that the treatment works.
The author says that he doesn't know his father.
The company did not provide a dividend in 2023.
The result is not clear-cut, but team B won 3 to 2.
She could not find her keys, so she took the bus at 8:15.
The file is unavailable for guests; members can download it.
Error 404 means that the page was not found.
The function returns None if the list is empty.
Yes, I can confirm that the payment failed because the card has expired.
The answer is (C) insufficient funds.
No refund is given without a receipt.
There was no rain in March, so the total is 0 mm.
I don't have the exact figure, so let's say 40.
It isn't stated directly, but 12 + 9 = 21.
He was unable to attend, so the vote was 6 to 5.
The flight was cancelled because of fog.
Data is provided by Yr: 7 degrees and rain.
The password can't contain spaces.
You can't take the 8:15 train, since it runs on Sundays only; the 9:02 is the next.
The museum is closed on Mondays.
He couldn't find work in Leeds and moved to York in 1902.
There is no train after midnight.
The warranty does not include batteries.
The product isn't available in blue.
The hotel has no rooms left on 4 May.
It's impossible to divide by zero, so the limit is infinity.
The tool failed at first, but the second call returned 42.
The room is unavailable from 3 to 5 PM.
The missing number is 12.
The unknown soldier was buried in 1920.
The server responded with 200 OK and the message "no records".
Sarah doesn't have any brothers.
I don't think so: 9 is not a prime number.
Neither of them was late.
The bill fails, since it got 49 of 100 votes.
She said that she didn't know the way.
The total is $0.00, as nothing was charged.
The function cannot return a negative number.
The error rate is 3 %.
The contract doesn't mention pets, so they are allowed.
Nobody was hurt.
The data were collected in 2019.
There are not enough chairs: 14 for 20 guests.
The answer is: False
Your flight could not be confirmed by the airline until yesterday, and now it is.
The email couldn't be delivered because the address has a typo.
""".strip().splitlines()
# What the phrases miss, and what they take for abstaining: a change that reads them is welcome.
MISSED = """
The record is incomplete: it lists no price for this item.
The page with the results did not load.
The weather tool gave me an error message instead of a forecast.
I'd need the result of the search to answer, and it's empty.
""".strip().splitlines()
MISTAKEN = """
It was not clear who would win until the last lap; Ann did.
Assume x is unknown; then x = 5 solves the equation.
""".strip().splitlines()


@pytest.mark.parametrize("reply", ABSTAINING)
def test_a_reply_abstains(reply):
    assert abstains(reply)


@pytest.mark.parametrize("reply", ["", *INVENTING])
def test_a_reply_answers(reply):
    assert not abstains(reply)


def test_what_is_misread_is_known():
    assert not any(map(abstains, MISSED))
    assert all(map(abstains, MISTAKEN))
