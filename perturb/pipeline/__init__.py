"""Steps and pipelines, and their written forms. Private."""
