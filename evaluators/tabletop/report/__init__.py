"""Sessions at a table in the report of a run."""
