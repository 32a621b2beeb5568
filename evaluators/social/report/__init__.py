"""What social episodes have in the report of a run."""
