"""The report of a run: one HTML file that needs nothing but itself."""

from evaluators.report.page import write_report

__all__ = ["write_report"]
