"""Small, seeded, exactly recorded changes to text."""
