"""Annotation studies: who is given what to annotate, and what is taken from them. Pure rules."""
