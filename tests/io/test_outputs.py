"""Files that belong together appear together, and leftovers of killed processes go."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest

from perturb.errors import DataError
from perturb.io import outputs
from perturb.io.outputs import drop_parts, remove_leftovers, writing, writing_together


def test_files_appear_together(tmp_path):
    """Until the end there is none; then there are all, and no part of one."""
    names = ["out", "rejects.gz", "manifest"]
    with writing_together() as opened:
        for name in names:
            opened(str(tmp_path / name)).write(name.encode())
        assert not any((tmp_path / name).exists() for name in names)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


@pytest.mark.parametrize("failing", [0, 1, 2])
@pytest.mark.parametrize("before", [True, False])
def test_where_one_can_not_appear_none_does(tmp_path, monkeypatch, failing, before):
    """What had the names before has them again."""
    names = ["a", "b", "c"]
    if before:
        for name in names:
            (tmp_path / name).write_bytes(b"old")
    replace = Path.replace

    def refuse(self, target):
        if target.name == names[failing] and self.suffixes[-2:] != [".old", ".part"]:
            raise OSError(errno.EPERM, "Operation not permitted")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)

    def write():
        with writing_together() as opened:
            for name in names:
                opened(str(tmp_path / name)).write(b"new")

    with pytest.raises(DataError, match=f"can't write .*{names[failing]}: Operation not permitted"):
        write()
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert left == (dict.fromkeys(names, b"old") if before else {})


def test_a_write_that_fails_names_its_file(tmp_path):
    """Not another one that is open as well."""

    def write():
        with writing_together() as opened:
            opened(str(tmp_path / "out")).write(b"x")
            full = opened("/dev/full")
            full.write(b"x" * 10**6)

    with pytest.raises(DataError, match="can't write /dev/full: No space left"):
        write()
    assert list(tmp_path.iterdir()) == []


def test_leftovers_go_and_living_parts_stay(tmp_path):
    """A part that a process holds locked is its own; names that only look alike stay."""
    target = tmp_path / "out"
    dead = [tmp_path / ".out.1.part", tmp_path / ".out.99999.old.part"]
    other = [tmp_path / ".out.x.part", tmp_path / ".other.1.part", tmp_path / "out.1.part"]
    for path in (*dead, *other):
        path.touch()
    with writing(str(target)) as (file, _):
        assert not any(path.exists() for path in dead)
        remove_leftovers(target)  # as another process would
        file.write(b"whole")
    assert target.read_bytes() == b"whole"
    assert all(path.exists() for path in other)


def test_parts_are_dropped_on_the_way_out(tmp_path):
    """Those of this process, and not those that it inherited from its parent."""
    with writing(str(tmp_path / "out")) as (file, _):
        file.write(b"x")
        (part,) = tmp_path.iterdir()
        outputs._parts[part] += 1
        drop_parts()
        assert part.exists()
        outputs._parts[part] -= 1
        drop_parts()
        assert not part.exists()
        part.touch()  # so that it can still get its name


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks of POSIX")
def test_what_a_kill_leaves_the_next_run_removes(tmp_path):
    """A process that is killed while it writes; then another that writes the same file."""
    code = (
        "import os, signal, sys; from perturb.io.outputs import writing\n"
        "with writing(sys.argv[1]) as (file, _):\n"
        "    file.write(b'half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    target = tmp_path / "out"
    subprocess.run([sys.executable, "-c", code, str(target)], check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".out.")
    with writing(str(target)) as (file, _):
        file.write(b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
