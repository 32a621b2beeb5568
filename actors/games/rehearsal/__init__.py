"""Offline minds that play any game by a temper: no language model."""
