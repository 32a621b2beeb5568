"""Tests of the figures of world trees."""
