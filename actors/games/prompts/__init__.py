"""The templates by which language models are asked what they do in a game."""
