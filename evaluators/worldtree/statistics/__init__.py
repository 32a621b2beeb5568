"""Computes the figures of world trees from the results of walks and questions."""
