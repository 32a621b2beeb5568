"""Tests of tables as plain values."""
