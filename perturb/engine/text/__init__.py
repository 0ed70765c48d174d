"""Columns of strings, and facts about characters, words and sentences. Private."""
