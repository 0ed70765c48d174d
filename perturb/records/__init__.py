"""Records of what was changed: made, written as JSON, named, verified. Private."""
