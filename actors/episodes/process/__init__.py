"""Episodes within one process: the manager, who sits where, decisions, passivation, reading from
the store, and factories of actors."""
