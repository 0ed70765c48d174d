"""The plan of a job with texts and rows, which every entry point makes. Private."""
