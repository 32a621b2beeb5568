"""What a character remembers of the episodes of a chain, and what is recalled before the next one.

``modules`` has the memory modules, ``remember_episode`` writes the note on an episode that is over,
and ``recall`` selects the memories for the next episode and renders them.
"""
