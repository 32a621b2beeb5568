"""The values of the tables and figures of world trees, without the code that computes them."""
