"""Tables as plain values, printed for terminals, as CSV or as LaTeX."""
