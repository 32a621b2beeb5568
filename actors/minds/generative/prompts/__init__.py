"""What a generative mind asks models, a template a file."""
