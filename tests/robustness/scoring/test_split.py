import pytest

from perturb.errors import DataError


def test_disjoint_files_pass(command, write, linked):
    train = write("train.jsonl", [{"id": 1}, linked("1"), linked("2")])
    test = write("test.jsonl", [{"id": "3"}, linked("4")])
    assert "no original is shared: 2 in" in command("split_check", train, test)


def test_an_empty_file_shares_nothing(command, write):
    assert "0 in" in command("split_check", write("train", [{"id": 1}]), write("test", []))


def test_a_shared_original_is_named(command, write, linked):
    train = write("train.jsonl", [{"id": 1}, {"id": 2}, {"id": 3}])
    test = write("test.jsonl", [linked("2"), {"id": 3}, {"id": 4}])
    with pytest.raises(DataError, match="share 2 originals: '2', '3'; keep all variants"):
        command("split_check", train, test)


def test_many_shared_originals_are_counted(command, write):
    rows = [{"id": number} for number in range(9)]
    with pytest.raises(DataError, match=r"share 9 originals: .*, \.\.\.;"):
        command("split_check", write("train", rows), write("test", rows))


def test_a_row_without_identity_is_named(command, write):
    with pytest.raises(DataError, match=r"test.jsonl:1: the row has neither an 'id' nor a record"):
        command("split_check", write("train.jsonl", [{"id": 1}]), write("test.jsonl", [{}]))
