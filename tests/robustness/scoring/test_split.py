import pytest

from perturb.errors import DataError


def test_disjoint_files_pass(command, write, linked):
    train = write("train.jsonl", [{"id": 1}, linked("1"), linked("2")])
    test = write("test.jsonl", [{"id": "3"}, linked("4", original="another text")])
    said = command("split_check", train, test)
    assert said == (
        f"no shared originals: 2 in {train}, 2 in {test}; without a text, so compared by id "
        "only: 1\n"
    )


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
    with pytest.raises(DataError, match=r"test.jsonl:1: the row has no 'perturbation'"):
        command("split_check", write("train.jsonl", [{"id": 1}]), write("test.jsonl", [{}]))


def test_equal_texts_under_other_ids_are_shared(command, write, linked):
    """A row without a record has its text where the records of either file say."""
    train = write("train.jsonl", [linked("a", original="ten hens", edits=[(0, 1, "T")])])
    for rows in (
        [linked("b", original="ten hens", edits=[(4, 5, "m")])],
        [linked("b", original="ten hens", edits=[(4, 5, "m")], lean=True)],
        [{"id": "c", "text": "six hens"}, {"id": "b", "text": "ten hens"}],
    ):
        test = write("test.jsonl", rows)
        with pytest.raises(DataError, match=r"share 1 originals: 'b' \(which is 'a' in .*train"):
            command("split_check", train, test)
        with pytest.raises(DataError, match=r"share 1 originals: 'a' \(which is 'b' in .*test"):
            command("split_check", test, train)


def test_one_id_of_two_texts_is_told(command, write, linked):
    train = write("train.jsonl", [linked("a", original="ten hens", edits=[(0, 1, "T")])])
    test = write("test.jsonl", [{"id": "a", "text": "six cows"}])
    message = r"'a' \(by its id; the texts differ: 'ten hens' and 'six cows'\); keep all"
    with pytest.raises(DataError, match=message):
        command("split_check", train, test)
