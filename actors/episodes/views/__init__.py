"""Helpers for readers of a history: progress, differences between two forks, and histories that
violate the rules."""
