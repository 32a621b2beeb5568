"""Tests of the log and of the two databases."""
