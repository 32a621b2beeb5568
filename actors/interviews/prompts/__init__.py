"""What a language model is shown that answers for a character."""
