#!/usr/bin/env bash
# pandas 3.1.1: the answers None, NA, null, nan and n/a of a CSV file come back as missing.
# Expected: a column of texts is read as it was written, as Python's csv and polars read it.
# Seen: read_csv takes each of these words for NaN, in columns of text too, unless keep_default_na=False:
#> csv: 6 of 6 answers read
#> polars: 6 of 6 answers read
#> pandas: 1 of 6 answers read
#> pandas, keep_default_na=False: 6 of 6 answers read
# Why it matters: "None" is a common option and a common reply; such rows drop out of a score, or never match.
source "$(dirname "$0")/common.sh"
install pandas==3.1.1 polars==1.36.1
run <<'PYTHON'
import csv
import io

import pandas as pd
import polars as pl

answers = ["None", "NA", "null", "nan", "n/a", "yes"]
file = "id,answer\n" + "".join(f"{at},{answer}\n" for at, answer in enumerate(answers))
readers = {
    "csv": [row["answer"] for row in csv.DictReader(io.StringIO(file))],
    "polars": pl.read_csv(io.StringIO(file))["answer"].to_list(),
    "pandas": pd.read_csv(io.StringIO(file))["answer"].tolist(),
    "pandas, keep_default_na=False": pd.read_csv(io.StringIO(file), keep_default_na=False)["answer"].tolist(),
}
for name, read in readers.items():
    print(f"{name}: {sum(one == answer for one, answer in zip(read, answers))} of {len(answers)} answers read")
PYTHON
