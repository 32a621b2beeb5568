"""Believability extended: a score and eight checkpoints that a seat passes or fails.

Three kinds of judge read an episode by this rubric: a language model, fixed rules that decide only
what a rule can decide, and a rehearsal of both.
"""
