"""How PostgreSQL's log is divided: by position, so that what is archived leaves it as whole tables.

SQLite's is one table.
"""

PARTITION_EVENTS = 1_000_000
"""Positions in a partition. At about 2 KB an event with its index entries it has 2 to 3 GB: small
enough that all runs of one are soon archived, and that its streams are gone through in seconds when
it is full; large enough that a hundred hold what fits on one disk. Partitions that are there keep
their size."""

AHEAD_EVENTS = 50_000
"""The next partition is made when there is no more room than this: more than any group of appends
has events."""
