"""Records of changes: made, written as JSON, named, verified. Private."""
