"""The catalog of tabletop sessions that comes with Troupe."""
