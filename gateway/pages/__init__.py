"""The researcher's pages."""
