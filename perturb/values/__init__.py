"""The types of values that all else is made of: arrays, and objects that never change. Private."""
