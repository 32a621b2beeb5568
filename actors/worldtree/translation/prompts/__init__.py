"""The words by which a model is asked to translate."""
