"""The catalog of games that comes with Troupe."""
