"""Lossless export to JSON lines, and the import with all its checks."""
