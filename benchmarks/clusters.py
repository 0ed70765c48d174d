"""What a cluster adds: the same shards by one process, by two, and by Ray, Dask and Spark here.

Run it as `python benchmarks/clusters.py [ENGINE ...]` after `pip install ray distributed pyspark`;
it writes the table of the page on clusters.
"""

import json
import shutil
import tempfile
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from common import EXAMPLES, applied, made_rows, measured, options, table, timed, write_into

from perturb.integrations import clusters

PAGE = EXAMPLES.parents[1] / "docs/how-to/clusters.md"
STEP, FIELD, SHARDS, ROWS = "keyboard_typos:p=0.05", "question", 38, 8000
HEADS = "seconds", "start", "copies", "rows", "again"


@contextmanager
def on_ray():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield f"Ray {ray.__version__}"
    ray.shutdown()


@contextmanager
def on_dask():
    import distributed as dask

    with (
        dask.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        dask.Client(cluster),
    ):
        yield f"Dask {dask.__version__}"


@contextmanager
def on_spark():
    import pyspark

    builder = pyspark.sql.SparkSession.builder.config("spark.ui.enabled", "false")
    session = builder.master("local[2]").getOrCreate()
    yield f"Spark {pyspark.__version__}"
    session.stop()


ENGINES = {
    "ray": (on_ray, clusters.RAY),
    "dask": (on_dask, clusters.DASK),
    "spark": (on_spark, clusters.SPARK),
}


def copies(source, target):
    """Calls that copy a shard each: what is left of the work where nothing is done."""
    target.mkdir()
    return [partial(shutil.copyfile, shard, target / shard.name) for shard in source.iterdir()]


def by_processes(source, folder, number):
    """Seconds of the command, of its start, and of copies in one process."""
    call = applied(FIELD, source, "-o", folder / f"{number}", "--workers", str(number), step=STEP)
    start = measured([*call[:4], "--version"])[0]
    copied = timed(lambda: [call() for call in copies(source, folder / f"copies{number}")])[0]
    return start, copied, measured(call)[0] - start


def by_engine(name, source, folder):
    """Seconds until the engine is there, of copies, of the work, and of the work again."""
    start, cluster = ENGINES[name]
    started, again = start(), folder / f"{name}-again"
    begun = timed(lambda: print(started.__enter__()))[0]
    calls = copies(source, folder / f"{name}-copies")
    copied = timed(lambda: list(cluster.mapper(calls)))[0]
    work = partial(cluster.augment, source, steps=STEP, field=FIELD)
    seconds = [timed(lambda out=out: work(output=out))[0] for out in (folder / name, again)]
    started.__exit__(None, None, None)
    return begun, copied, *seconds


def main():
    parser = options(__doc__)
    parser.add_argument("engines", nargs="*", default=[*ENGINES], metavar="ENGINE")
    engines = parser.parse_args().engines
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        source, rows = folder / "in", made_rows(FIELD)
        source.mkdir()
        for shard in range(SHARDS):
            some = (json.dumps(row) + "\n" for row in islice(rows, ROWS))
            (source / f"{shard:02}.jsonl").write_text("".join(some), "utf-8")
        taken = {f"`--workers {n}`": by_processes(source, folder, n) for n in (1, 2)}
        taken |= {f"`perturb.{name}`": by_engine(name, source, folder) for name in engines}
        whole, *others = (
            {file.name: file.read_bytes() for file in (folder / out).iterdir()}
            for out in ("1", "2", *engines)
        )
        assert all(other == whole for other in others)
    cells = [[name, *(f"{each:.1f}" for each in seconds)] for name, seconds in taken.items()]
    cells = [row + [""] * (len(HEADS) - len(row)) for row in cells]
    write_into(PAGE, "clusters", table(HEADS, cells))


if __name__ == "__main__":
    main()
