"""Scorers of what was done in a town, as the paper and as its published code describe them."""
