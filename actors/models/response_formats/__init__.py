"""The formats in which answers are requested, from a JSON Schema to plain text, and which of them
each model accepts."""
