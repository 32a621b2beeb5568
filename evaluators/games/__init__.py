"""How games with hidden roles are scored: who won, how they voted, what they gave away."""
