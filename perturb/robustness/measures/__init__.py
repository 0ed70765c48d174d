"""What becomes of scores under noise, with intervals, and the words for it. Private."""
