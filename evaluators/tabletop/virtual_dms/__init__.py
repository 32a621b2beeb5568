"""Virtual game masters: they read from what was said who means to make which skill check."""
