#!/usr/bin/env bash
# sentencepiece 0.2.3: a model with the default normalization has the same tokens for a text and for several noises of it.
# Expected: another text has other tokens, and decoding gives the text back.
# Seen:
#> 'hello  world ': the same tokens, decoded as 'hello world'
#> 'hello\tworld': the same tokens, decoded as 'hello world'
#> 'hello\nworld': the same tokens, decoded as 'hello world'
#> 'hello\xa0world': the same tokens, decoded as 'hello world'
#> '\U0001d421\U0001d41e\U0001d425\U0001d425\U0001d428 world': the same tokens, decoded as 'hello world'
#> '\uff48\uff45\uff4c\uff4c\uff4f world': the same tokens, decoded as 'hello world'
#> 'hel\u200blo world': other tokens, decoded as 'hel lo world'
# Why it matters: a model with such a tokenizer holds under these noises because it never sees them, while another breaks.
source "$(dirname "$0")/common.sh"
install sentencepiece==0.2.3
run <<'PYTHON'
import io
import random

import sentencepiece

words = "hello world the cat sat on a mat how many eggs are left in what is capital of norway".split()
draw = random.Random(0)
model = io.BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=(" ".join(draw.choices(words, k=8)) for _ in range(3000)),
    model_writer=model,
    vocab_size=40,
    minloglevel=2,
)
processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
clean = processor.encode("hello world")
for text in (
    "hello  world ",
    "hello\tworld",
    "hello\nworld",
    "hello\u00a0world",
    "\U0001d421\U0001d41e\U0001d425\U0001d425\U0001d428 world",
    "\uff48\uff45\uff4c\uff4c\uff4f world",
    "hel\u200blo world",
):
    tokens = processor.encode(text)
    same = "the same" if tokens == clean else "other"
    print(f"{ascii(text)}: {same} tokens, decoded as {processor.decode(tokens)!r}")
PYTHON
