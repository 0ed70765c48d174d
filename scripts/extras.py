"""Install each extra alone into a fresh environment, and use what it is for; then all together.

Run it as `python scripts/extras.py [EXTRA ...]`; `together` is the environment with all of them. It
needs the network, some minutes and some gigabytes. Exits with 1 if one of them fails.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROWS = 'rows = [{"id": str(n), "text": f"How many eggs are in {n} baskets?"} for n in range(20)]'
TRANSFORM = 't = perturb.Transform("keyboard_typos", p=0.2, field="text")'
BEGIN = f"import perturb\n{ROWS}\n{TRANSFORM}\n"
READ = "texts = [row['text'] for row in perturb.augment(rows, 'keyboard_typos', p=0.2)]\n"
# What each extra is for, on the rows `rows` and the transform `t`; `texts` is what must come out.
USES = {
    "arrow": (
        "import pyarrow\nassert t(pyarrow.Table.from_pylist(rows))['text'].to_pylist() == texts"
    ),
    "hf": "import datasets\nassert list(t(datasets.Dataset.from_list(rows))['text']) == texts",
    "dask": (
        "import pandas, distributed, dask.dataframe as dd\n"
        "frame = dd.from_pandas(pandas.DataFrame(rows), npartitions=3)\n"
        "assert frame.map_partitions(t).compute()['text'].tolist() == texts"
    ),
    "ray": (
        "import ray\n"
        "ray.init(num_cpus=1, include_dashboard=False, logging_level='ERROR')\n"
        "made = ray.data.from_items(rows).map_batches(t, batch_format='pyarrow')\n"
        "assert sorted(row['text'] for row in made.take_all()) == sorted(texts)"
    ),
    "spark": (
        "from pyspark.sql import SparkSession\n"
        "frame = SparkSession.builder.master('local[1]').getOrCreate().createDataFrame(rows)\n"
        "made = frame.mapInArrow(t.batches, t.schema(frame)).collect()\n"
        "assert [row['text'] for row in made] == texts"
    ),
    "torch": (
        "from torch.utils.data import DataLoader\n"
        "from perturb.integrations.torch import Collate\n"
        "loader = DataLoader(rows, batch_size=5, collate_fn=Collate(t, lambda rows: rows))\n"
        "assert len([row for batch in loader for row in batch]) == 20"
    ),
    "inspect": (
        "from inspect_ai.dataset import MemoryDataset, Sample\n"
        "from perturb.integrations.inspect_ai import perturbed_dataset\n"
        "data = MemoryDataset([Sample(input=row['text'], id=row['id']) for row in rows])\n"
        "assert len(perturbed_dataset(data, 'keyboard_typos', p=0.2))"
    ),
    "spacy": (
        "import spacy\n"
        "from spacy.training import Example\n"
        "from perturb.integrations.spacy import augmenter\n"
        "nlp = spacy.blank('en')\n"
        "example = Example.from_dict(nlp.make_doc(rows[1]['text']), {'entities': []})\n"
        "assert list(augmenter(steps='keyboard_typos', p=0.2)(nlp, example))"
    ),
    "transformers": (
        "import transformers\n"
        "from perturb.integrations.transformers import replies\n"
        "assert transformers.pipelines.PIPELINE_REGISTRY.check_task('ner')"
    ),
    "sentence-transformers": (
        "import sentence_transformers\n"
        "from perturb.integrations.sentence_transformers import replies\n"
        "assert sentence_transformers.SentenceTransformer.encode_query"
    ),
    "nlpaug": "assert perturb.apply('many brown eggs', 'nlpaug.KeyboardAug:aug_char_p=0.3').edits",
    "nltk": (
        "from perturb import PerturbError\n"
        "try:\n"
        "    perturb.apply('many eggs', 'synonym', lexicon='nltk:fra', p=1)\n"
        "except PerturbError as error:  # without the data, which nltk fetches\n"
        "    assert 'nltk' in str(error), error"
    ),
    "bleu": (
        "from perturb.robustness.grading.ways import match_of\n"
        "assert match_of('bleu')('a cat', 'a cat')[0] == match_of('chrf')('a cat', 'a cat')[0] == 1"
    ),
    "endpoint": "import aiohttp\nimport perturb.evaluation",
    "math": "from perturb.robustness import score\nimport math_verify",
    "report": "import jinja2, matplotlib",
    "rouge": "import rapidfuzz",
    "schema": (
        "from pathlib import Path\n"
        "Path('schema.json').write_text('{\"required\": [\"a\"]}')\n"
        "step = 'tool_result:kind=missing,schema=schema.json'\n"
        'assert str(perturb.apply(\'{"a": 1, "b": 2}\', step, p=1)) == \'{"a": 1}\''
    ),
    "testing": "perturb.testing.check_perturbator('keyboard_typos')",
    "zstd": "import zstandard",
}
LIGHT = (
    "import sys, perturb\n"
    "heavy = {'pyarrow', 'pandas', 'datasets', 'ray', 'pyspark', 'dask', 'torch', 'spacy', 'nltk',"
    " 'nlpaug', 'inspect_ai', 'jsonschema', 'rapidfuzz', 'sacrebleu', 'hypothesis', 'aiohttp',"
    " 'jinja2', 'matplotlib', 'transformers', 'sentence_transformers'}\n"
    "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
)


def main(*names: str) -> int:
    """Try some extras, or all, alone and together; return the exit status."""
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        wheel = built(Path(folder))
        for name in names or (*USES, "together"):
            said = tried(Path(folder, name), wheel, list(USES) if name == "together" else [name])
            print(f"{name:10} {said or 'works'}", flush=True)
            failed += [name] if said else []
    return int(bool(failed))


def built(folder: Path) -> Path:
    """Build the wheel."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT]
    subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def tried(folder: Path, wheel: Path, extras: list[str]) -> str:
    """Install extras into an environment of their own and use them; return what failed, or ""."""
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    install = [python, "-m", "pip", "install", "--quiet", f"{wheel}[{','.join(extras)}]"]
    codes = [LIGHT, *(BEGIN + READ + USES[extra] for extra in extras)]
    # As in an activated environment: Spark starts the first Python on the path.
    env = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    for command in (install, *([python, "-P", "-c", code] for code in codes)):
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, env=env, check=False
        )
        if done.returncode:
            return "FAILED: " + done.stderr.strip()[-500:]
    return ""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
