"""The commands of the sandbox."""
