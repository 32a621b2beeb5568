"""Calls to models: what was asked, what came back, and what was read of it.

Prompts are not stored: they follow from what is. So they are built again, by letting the mind, the
judge or the memory ask once more while the log answers (``actors.models.replay``), and held against
the stored fingerprint. Where that cannot be done, it is said why, and all else of the call is
shown.

Whoever may see prompts may see everything: secrets and private goals are in them.
"""
