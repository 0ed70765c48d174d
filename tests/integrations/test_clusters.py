"""A folder by a cluster is that of one machine, whatever is lost under way."""

import contextlib
import json
import os
import pickle
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import call
from pathlib import Path

import pytest

import perturb
from perturb.cli import main
from perturb.integrations.clusters import Cluster
from perturb.plan.job import job_of
from perturb.stream.perturb_folder import perturb_folder

sys.path.append(str(Path(__file__).parents[2] / "fuzz"))
from shards import tree

pytestmark = pytest.mark.filterwarnings("default")
STEPS, SHARDS, ROWS = "typo_mix:p=0.1", 6, 40
PATH = os.pathsep.join(filter(None, sys.path))


@pytest.fixture
def folder(tmp_path):
    """Shards in two partitions."""
    for shard in range(SHARDS):
        part = tmp_path / "in" / f"part={shard % 2}"
        part.mkdir(parents=True, exist_ok=True)
        rows = [{"id": f"{shard}-{n}", "text": f"Row {n} of shard {shard}"} for n in range(ROWS)]
        (part / f"{shard}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def sent(calls):
    """A cluster without machines: each call goes to another process and its answer comes back."""
    for each in calls:
        yield pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(each))()))


def twice(calls):
    """Each call is made by two machines at a time."""
    with ThreadPoolExecutor(2) as pool:
        for each in calls:
            yield max(pool.map(call, [each, each]), key=lambda done: done.before)


@pytest.mark.slow
@pytest.mark.parametrize("mapper", [sent, twice])
def test_the_folder_is_that_of_the_command_line(folder, monkeypatch, mapper):
    """From relative paths too; and what is done is not done again."""
    monkeypatch.chdir(folder)
    assert main(["apply", STEPS, "--seed", "7", "-i", "in", "-o", "a"]) == 0
    augment = Cluster(mapper).augment
    done = augment("in", Path("b"), STEPS, seed=7)
    assert tree(folder / "b") == tree(folder / "a")
    assert (done.shards, done.counts.written, done.shared_ids) == (SHARDS, SHARDS * ROWS, [])
    (folder / "b" / "part=1" / "3.jsonl").unlink()
    assert augment("in/", "b/", STEPS, seed=7).done_before >= SHARDS - 1
    assert tree(folder / "b") == tree(folder / "a")
    assert main(["verify", "b", "--input", "in"]) == 0


@pytest.mark.slow
def test_what_is_wrong_with_data_is_told_as_on_one_machine(folder):
    with (folder / "in" / "part=0" / "2.jsonl").open("a") as file:
        file.write("no row\n")
    augment = partial(Cluster(sent).augment, folder / "in", folder / "out", STEPS)
    with pytest.raises(perturb.DataError, match=r"2.jsonl:41: not JSON"):
        augment()
    assert augment(bad_lines="skip").bad_lines == 1
    again = folder / "in" / "part=1" / "9.jsonl"
    again.write_text('{"id": "0-7", "text": "some words"}\n')
    with pytest.warns(UserWarning, match="two shards share an id, part=0/0.jsonl:8 and") as got:
        augment(bad_lines="skip")
    assert got[0].filename == __file__


def test_machines_that_share_no_files_are_told_apart(folder):
    def elsewhere(calls):
        for done in sent(calls):
            (folder / "out" / ".perturb" / "part=0" / "0.jsonl.manifest.json").unlink()
            yield done

    with pytest.raises(perturb.DataError, match=r"part=0/0.jsonl is not in .*/out here, though"):
        Cluster(elsewhere).augment(folder / "in", folder / "out", STEPS)


def test_what_is_no_folder_is_refused(folder):
    augment = Cluster(sent).augment
    with pytest.raises(perturb.UsageError, match="the output of a cluster must be a folder"):
        augment(folder / "in" / "part=0" / "0.jsonl", folder / "out.jsonl", STEPS)
    with pytest.raises(TypeError, match=r"got \[\{.*\}\]: perturb.Transform\(STEPS\)\(data\)"):
        augment([[{"text": "a"}]], folder / "out", STEPS)


def falling(marker, victim):
    """A step that ends a process when it is at a row in the middle, once."""

    def polite(text):
        if text == "Row 20 of shard 3":
            with contextlib.suppress(FileExistsError):
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                os.kill(victim(), signal.SIGKILL)
        return f"Please: {text}"

    return perturb.from_function("polite", polite)


def check(augment, folder, victim):
    """What a cluster writes that loses a process, or a machine."""
    marker = folder / "fell"
    steps = [falling(str(marker), victim), STEPS]
    done = augment(folder / "in", folder / "out", steps, seed=7)
    assert marker.exists()
    assert done.shards == SHARDS
    perturb_folder(str(folder / "in"), str(folder / "whole"), job_of(steps, seed=7))
    assert told(folder / "out") == told(folder / "whole")


def told(folder):
    """The files of a folder, and its manifest without the tables, which this process used before."""
    files = tree(folder)
    content = json.loads(files.pop("_manifest.json"))
    return files, {key: content[key] for key in content.keys() - {"tables", "manifest_sha256"}}


@pytest.mark.slow
def test_a_worker_of_dask_is_killed(folder):
    distributed = pytest.importorskip("distributed")
    with pytest.raises(perturb.UsageError, match=r"perturb.dask needs a client: make dask"):
        perturb.dask.augment(folder / "in", folder / "out", STEPS)
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        check(perturb.dask.augment, folder, os.getpid)


@pytest.mark.usefixtures("only_in_full")
def test_a_node_of_ray_is_killed(folder):
    """The parent of a worker is the process that makes a machine a node."""
    ray = pytest.importorskip("ray")
    utils = pytest.importorskip("ray.cluster_utils")
    head = {"num_cpus": 0, "include_dashboard": False}
    cluster = utils.Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
        environment = {"env_vars": {"PYTHONPATH": PATH}}
        ray.init(cluster.address, log_to_driver=False, runtime_env=environment)
        check(perturb.ray.augment, folder, os.getppid)
        assert sorted(len(node.dead_processes()) > 0 for node in nodes) == [False, True]
    finally:
        ray.shutdown()
        cluster.shutdown()


def executor():
    """The process above the daemon of Python that forked this one."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().split()[3])


@pytest.mark.usefixtures("only_in_full")
def test_an_executor_of_spark_is_killed(folder, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", PATH)
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]")
    try:
        session = builder.config("spark.ui.enabled", "false").getOrCreate()
    except Exception as error:  # of the library's own kind, where there is no Java
        pytest.skip(f"Spark does not start here: {error}")
    try:
        check(perturb.spark.augment, folder, executor)
    finally:
        session.stop()
