"""One mind that writes for all seats: what it is shown, and how its scripts are read."""
