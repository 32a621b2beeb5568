"""A town's map: its layers and grid, places and addresses, shortest paths, and what can be wrong
with it."""
