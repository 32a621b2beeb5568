"""Interviews: a researcher asks a character of any environment, after an episode or in it."""
