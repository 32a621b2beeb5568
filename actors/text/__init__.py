"""Reading texts, without a language model: for any environment."""
