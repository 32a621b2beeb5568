"""Annotation studies: how items are assigned to annotators, and which answers are accepted. Pure
rules."""
