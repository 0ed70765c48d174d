"""What is to be done with texts and rows: one plan, which every door makes. Private."""
