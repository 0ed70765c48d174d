"""Read the answer in an output, and grade it. Private."""
