"""The page *Judges*: two judges of a run side by side, people among them."""
