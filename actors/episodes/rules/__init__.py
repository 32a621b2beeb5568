"""The rules that are common to the episodes of all environments, as pure functions: commands,
answers, seats, failed actions and the state."""
