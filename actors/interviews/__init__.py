"""Interviews: a researcher asks a character of any environment, during an episode or after it."""
