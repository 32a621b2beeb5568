"""World trees as values: scenes and lines, abilities and orientations, plots, defects, and how far
chance gets."""
