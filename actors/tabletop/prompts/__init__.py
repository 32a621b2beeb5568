"""The templates by which language models are asked for moves and answers."""
