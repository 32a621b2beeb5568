"""The pages *Chains* and *Chain*: curves, notes, what was recalled when."""
