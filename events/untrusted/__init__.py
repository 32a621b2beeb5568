"""Input from outside: size limits, text made safe to display, addresses without secrets."""
