"""The event log: its interface, its rows, and what is read from it."""
