"""Believability extended: a score and eight checkpoints that a seat passes or fails.

There are two lists of them, the paper's (``rubric``) and a stricter one of ours
(``strict_rubric``). Three kinds of judge read an episode by either: a language model, fixed rules
that decide only what a rule can decide, and a rehearsal of both.
"""
