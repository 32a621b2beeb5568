"""The words by which a model is asked which lines mean the same."""
