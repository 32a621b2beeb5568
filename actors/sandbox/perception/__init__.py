"""What characters perceive of each other, and what they know of the map."""
