"""From rows, or files of them, to a verdict, a comparison, a tolerance or a plan. Private."""
