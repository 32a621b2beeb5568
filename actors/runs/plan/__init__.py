"""Plan files and what follows from them: the sections of the file, the episodes and the chains of a
run."""
