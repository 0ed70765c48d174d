"""The basic types of values: arrays, scalars, and objects that never change. Private."""
