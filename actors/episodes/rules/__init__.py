"""The rules that hold for an episode of any environment, as pure functions: commands, answers,
seats, failed actions and the state."""
