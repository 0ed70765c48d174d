#!/usr/bin/env bash
# webanno2spacy 0.1.0: labels behind an emoji, another character beyond the BMP, or a quotation mark are lost.
# Expected: the relation between two labelled words of a document in WebAnno TSV 3, whose offsets count units of UTF-16.
# Seen: by the text in front of the same two words, the words that the document of spaCy relates:
#> "Yes": Bob -> Ann
#> "😀": none
#> "𐰴𐰍𐰣": none
#> "\"": none
# Why it matters: it takes offsets for code points, and reads the file as CSV with quotes, where a token that is a quotation
# mark takes the lines behind it along; a training set shrinks without an error, only with a warning in the log.
source "$(dirname "$0")/common.sh"
install webanno2spacy==0.1.0 spacy==3.8.18
run <<'PYTHON'
import csv
import io
import json
import logging

import spacy
import webanno2spacy

logging.disable()
HEADER = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.E|value\n#T_RL=webanno.custom.R|label|BT_webanno.custom.E\n\n\n"
for before in ("Yes", "😀", "𐰴𐰍𐰣", '"'):
    text = f"{before} Ann paid Bob today"
    lines, ids, at = [f"#Text={text}"], {}, 0
    for number, word in enumerate(text.split(" "), 1):
        size = len(word.encode("utf-16-le")) // 2
        ids[word] = f"1-{number}"
        label = "PER" if word in ("Ann", "Bob") else "_"
        relation = ["knows", ids["Ann"]] if word == "Bob" else ["_", "_"]
        lines.append("\t".join([ids[word], f"{at}-{at + size}", word, label, *relation]))
        at += size + 1
    rows = csv.reader(io.StringIO(HEADER + "\n".join(lines) + "\n"), delimiter="\t", quotechar='"')
    document = webanno2spacy.convert_rows(spacy.blank("en"), text, rows)
    starts = {token.idx: token.text for token in document}
    found = [f"{starts[start]} -> {starts[head]}" for start, head in document._.rel]
    print(f"{json.dumps(before, ensure_ascii=False)}:", ", ".join(found) or "none")
PYTHON
