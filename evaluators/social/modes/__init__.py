"""Social episodes of different modes (``actors.social.modes``) beside each other."""
