"""What readers of a history need: how far it has come, how two forks differ, and histories that
break the rules."""
