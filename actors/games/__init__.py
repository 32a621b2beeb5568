"""Games with hidden roles and private channels, whose rules are data."""
