"""The models of a process: configured, probed before use, held while unavailable, and local
weights."""
