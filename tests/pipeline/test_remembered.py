"""What was made of settings is kept as long as it would be made so again."""

import pytest

import perturb


def defined(mark: str) -> None:
    """Define a perturbator as a cell of a notebook does that runs again after a change."""

    @perturb.perturbator("marked", unit="word", summary="Mark.", label_risk="low")
    def marked(word: str) -> str:
        return word + mark


@pytest.mark.usefixtures("forget")
def test_a_perturbator_that_is_defined_again_is_used() -> None:
    defined("!")
    first = perturb.apply("so be it", "marked", p=1.0)
    assert first.text == "so! be! it!"
    assert perturb.verify(first)
    defined("?")
    assert perturb.apply("so be it", "marked", p=1.0).text == "so? be? it?"
    with pytest.raises(perturb.VerificationError, match="made again it is"):
        perturb.verify(first.to_dict())  # the record itself is verified by the steps that it has


def test_a_record_is_verified_with_the_trust_of_the_call(tmp_path) -> None:
    """That a file was trusted once opens it to no later call."""
    file = tmp_path / "context.txt"
    file.write_text("It rains.\n")
    record = perturb.apply("so be it", perturb.steps.add_context(p=1.0, file=str(file)))
    assert perturb.verify(record, trust=[str(file)])
    with pytest.raises(perturb.UsageError, match="the data names"):
        perturb.verify(record)


def test_a_file_that_changed_between_two_calls_is_read_again(tmp_path) -> None:
    file = tmp_path / "context.txt"
    texts = []
    for said in ("It rains.\n", "It snows.\n"):
        file.write_text(said)
        record = perturb.apply("so be it", f"add_context:p=1,file={file}")
        texts.append(record.text.replace("so be it", "").strip())
    assert texts == ["It rains.", "It snows."]


def test_a_function_is_verified_with_the_trust_of_the_call() -> None:
    record = perturb.apply(
        "The big dog ran", perturb.steps.synonym(p=1.0, language="en", tagger="taggers:all_nouns")
    )
    assert perturb.verify(record, trust=["taggers:all_nouns"])
    with pytest.raises(perturb.UsageError, match="the data names"):
        perturb.verify(record)


def test_a_file_that_a_step_reads_may_change_between_two_calls(tmp_path):
    """The same call again reads it again, and does not take the job that it had."""
    file = tmp_path / "sentences.txt"
    made = []
    for sentence in ("The sky is grey.", "The sea is calm."):
        file.write_text(f"{sentence}\n")
        made.append(perturb.apply("Why?", f"add_context:file={file}", p=1.0).text)
    assert "grey" in made[0]
    assert "calm" in made[1]
