"""The words by which a model is asked for a line."""
