"""Tests of the statistics over scores."""
