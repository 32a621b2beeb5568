"""The options of a question: their order and their letters."""
