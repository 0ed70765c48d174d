"""From a verdict to tables and pictures of it. Private."""
