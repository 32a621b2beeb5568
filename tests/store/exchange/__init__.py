"""Tests of exports to JSON lines and Parquet, and of imports."""
