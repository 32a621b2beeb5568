"""Chains of social episodes: which casts meet in which scenarios, and how a seat remembers a
meeting.

``support`` is what the port asks for; ``casts`` draws who meets, ``repertoire`` chooses what they
play, ``quotes`` and ``rule_notes`` write notes without a model, ``budget`` says how long prompts
get.
"""
