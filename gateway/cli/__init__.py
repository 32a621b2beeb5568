"""The command line: ``troupe …``. Heavy imports happen inside commands, so that help is instant."""
