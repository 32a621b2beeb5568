"""Queries over the projections and the histories of episodes; blocking."""
