"""The prompts of the generative mind, one template a file."""
