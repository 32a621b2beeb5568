"""The figures of world trees as plain tables."""
