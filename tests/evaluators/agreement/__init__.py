"""Tests of agreement between judges and people."""
