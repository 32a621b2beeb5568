"""Commands that score, compare, test, validate, report and export."""
