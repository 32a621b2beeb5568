"""Asks a model until its answer is usable: the reply is decoded, and faults are sent back for
correction."""
