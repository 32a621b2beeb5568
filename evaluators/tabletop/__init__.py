"""How tabletop sessions are scored: information exchanged, and intentions that can be read."""
