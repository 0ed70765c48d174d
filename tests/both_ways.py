"""Lines perturbed with kernels and without them, to be compared."""

import pytest

from perturb.engine.native import binding
from perturb.stream.blocks import perturb_block

needs_kernels = pytest.mark.skipif(binding.LIBRARY is None, reason="there are no kernels")


def perturbed_both_ways(job, stop, first, lines):
    """What kernels make of lines, and what is made of rows; or the message of the error."""
    made = []
    for library in (binding.LIBRARY, None):
        before, binding.LIBRARY = binding.LIBRARY, library
        try:
            block = perturb_block(job, stop, first, lines)
        finally:
            binding.LIBRARY = before
        bad = block.bad[:1] if stop else block.bad
        ids = zip(block.ids.numbers.tolist(), block.ids.hashes.tolist(), strict=True)
        until = bad[0].number if stop and bad else first + lines.count(b"\n") + 1
        counts = None if stop and bad else block.counts.to_dict()
        made.append((bytes(block.data), bad, [pair for pair in ids if pair[0] < until], counts))
    return made
