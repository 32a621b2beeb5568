"""Games in the report of a run."""
