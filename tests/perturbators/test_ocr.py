"""Errors of character recognition: the rate, what is misread, and where."""

from collections import Counter

import numpy as np
import pytest

import perturb
from perturb.engine.native import binding


class TestOcr:
    """Rates by confusion, errors at spaces, bursts, and one misreading of a glyph in a text."""

    TEXT = "The miller told Anna that old mills in the hills are full of grain. " * 60

    def records(self, count, p=0.05):
        return perturb.apply([self.TEXT] * count, "ocr", p=p, id=list(range(count)))

    def test_a_glyph_is_mistaken_for_one_other_in_a_text(self):
        for record in self.records(5, p=0.3):
            written = {}
            for edit in record.edits:
                read = self.TEXT[edit.start : edit.end]
                assert written.setdefault(read, edit.text) == edit.text
        of_a = {
            edit.text
            for record in self.records(20)
            for edit in record.edits
            if self.TEXT[edit.start : edit.end] == "a"
        }
        assert len(of_a) > 2

    def test_frequent_confusions_come_first(self):
        """e (weights 21) and d (10) have the rates 1 and .5: their shares differ by two. N = 40."""
        counts = Counter(
            self.TEXT[edit.start : edit.end] for record in self.records(40) for edit in record.edits
        )
        share_e = counts["e"] / self.TEXT.count("e")
        share_d = counts["d"] / self.TEXT.count("d")
        assert 1.5 < share_e / share_d < 2.6

    def test_spaces_are_lost_and_seen(self):
        edits = [edit for record in self.records(40) for edit in record.edits]
        lost = sum(self.TEXT[edit.start : edit.end] == " " for edit in edits)
        seen = sum(edit.text == " " for edit in edits)
        assert 0.02 < lost / len(edits) < 0.08
        assert 0.002 < seen / len(edits) < 0.03

    def test_errors_come_in_bursts(self):
        """A bad stretch has five times the errors: variance far above that of even ones."""
        counts = np.zeros((40, len(self.TEXT) // 60 + 1))
        for row, record in enumerate(self.records(40)):
            for edit in record.edits:
                counts[row, edit.start // 60] += 1
        assert counts.var() / counts.mean() > 1.8  # 1 for a Poisson distribution

    def test_p_is_the_share_of_the_characters(self):
        for p in (0.05, 0.3, 0.6):
            rate = np.mean([record.rate for record in self.records(10, p)])
            assert rate == pytest.approx(p, abs=0.005)

    @pytest.mark.parametrize("native", [True, False])
    def test_texts_are_misread_alike_beside_a_text_beyond_latin_1(self, monkeypatch, native):
        if not native:
            monkeypatch.setattr(binding, "LIBRARY", None)
        alone = perturb.apply(self.TEXT, "ocr", p=0.5, seed=1).text
        assert perturb.apply([self.TEXT, "ЖЖЖ"], "ocr", p=0.5, seed=1)[0].text == alone
