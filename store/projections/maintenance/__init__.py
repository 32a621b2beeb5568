"""Keeps projections up to date with the log, and rebuilds them from it."""
