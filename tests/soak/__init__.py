"""`make soak`: whether a server that is fed small runs for long keeps growing."""
