"""Evaluation: rubrics, judges, statistics over their scores, and reports.

An evaluator reads the history of an episode and says what it is worth, as events of a stream of its
own; it never changes what it reads. A score that could not be obtained is missing, never zero.
"""
