"""Prompts read by a model: for each template how many first answers can be used, and what they say.

``python -m tests.prompts`` plays a little with each template and prints the table that stands in
``docs/how-to/local-models.md``. Nothing is asked again, so that every answer is a first one.
"""
