"""What a character keeps of the episodes of a chain, and what it is reminded of before the next.

``modules`` has the memory modules, ``remembering`` writes down an episode that is over,
``recall`` chooses what is remembered before one begins, ``recall`` puts the words together.
"""
