"""Actors on one event loop: inboxes, dispatching, the host that finds and restarts them, and
persistent actors."""
