"""The long-running processes behind `troupe serve`, `troupe worker` and `troupe gateway`."""
