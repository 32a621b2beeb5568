"""Tests of the keys of participants."""
