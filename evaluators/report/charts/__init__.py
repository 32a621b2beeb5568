"""The charts of a report, drawn by Matplotlib as SVG."""
