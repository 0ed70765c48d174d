"""Steps and pipelines, and the forms in which they are written. Private."""
