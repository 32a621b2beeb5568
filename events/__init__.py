"""All events, commands and observations, their codec and their subjects.

This package imports nothing of ours. Everything that is stored or travels is a struct
declared here, so that a program in another language needs only the published schema.
"""
