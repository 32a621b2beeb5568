"""Annotation studies: planned, given out, taken in, looked at."""
