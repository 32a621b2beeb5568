"""The commands of ``troupe sotopia``."""
