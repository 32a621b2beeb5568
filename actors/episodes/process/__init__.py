"""Episodes within one process: the manager, factories of actors, passivation, and answers from the
store."""
