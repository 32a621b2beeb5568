"""Tests of the queries over projections and histories."""
