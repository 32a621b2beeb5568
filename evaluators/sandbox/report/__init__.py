"""Towns in the report of a run."""
