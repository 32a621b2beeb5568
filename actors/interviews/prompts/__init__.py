"""The prompts for a language model that answers for a character."""
