"""Judges: their configuration, what they ask a model, how answers are read, their actor."""
