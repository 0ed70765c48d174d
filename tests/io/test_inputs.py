"""What is written is compared with all that is read, however it was named."""

import os

import pytest

from perturb.errors import UsageError
from perturb.io import inputs
from perturb.io.inputs import check_apart


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.jsonl", "b.jsonl", "in/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"text": "some words"}\n')
    (tmp_path / "link.jsonl").symlink_to("b.jsonl")
    (tmp_path / "way").symlink_to("in")
    os.link("b.jsonl", "hard")
    return tmp_path


@pytest.mark.parametrize("read", [["b.jsonl"], ["*.jsonl"], ["a.jsonl", "./b.jsonl"], ["."]])
@pytest.mark.parametrize("path", ["b.jsonl", "./b.jsonl", "in/../b.jsonl", "link.jsonl", "hard"])
def test_an_input_by_any_of_its_names(folder, read, path):
    with pytest.raises(UsageError, match=r"the input and the page are the same file: .*; name"):
        check_apart(read, ("page", path))
    with pytest.raises(UsageError, match="the input and the page are the same file"):
        check_apart(read, ("page", str(folder / path)))


def test_a_member_of_a_folder_by_another_way(folder):
    check_apart(["in"], ("page", "c.jsonl"), ("manifest", "way/d.jsonl"))
    with pytest.raises(UsageError, match=r"the same file: in/c\.jsonl"):
        check_apart(["in"], ("page", "way/c.jsonl"))


def test_the_case_of_a_name_counts_where_it_does_for_the_system(folder, monkeypatch):
    """One file has one inode, whatever it is called; here two have two."""
    check_apart(["a.jsonl"], ("page", "A.jsonl"))
    monkeypatch.setattr(inputs.os.path, "normcase", str.lower)
    with pytest.raises(UsageError, match=r"a\.jsonl and A\.jsonl; name another"):
        check_apart(["a.jsonl"], ("page", "A.jsonl"))


def test_two_outputs_are_two_files_that_need_not_be_there(folder):
    check_apart(
        [], ("page", "new"), ("batch", "newer"), ("sink", os.devnull), ("drain", os.devnull)
    )
    check_apart(["-"], ("output", "-"))
    for one, other in (("new", "./new"), ("-", "-"), ("way/new", "in/new")):
        with pytest.raises(UsageError, match="the page and the batch are the same file"):
            check_apart([], ("page", one), ("batch", other))


def test_addresses(folder):
    check_apart(["s3://bucket/a.jsonl"], ("output", "s3://bucket/b.jsonl"))
    with pytest.raises(UsageError, match="the input and the output are the same file"):
        check_apart(["s3://bucket/a.jsonl"], ("output", "s3://bucket/a.jsonl"))
