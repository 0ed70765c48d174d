"""From rows with scores and records to a verdict. Private."""
