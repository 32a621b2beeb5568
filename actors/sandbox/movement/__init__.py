"""Who is where at each step and who is in whose view, for a few seats or for many, and
trajectories."""
