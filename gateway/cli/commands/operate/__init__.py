"""Commands for operators: serve, workers, jobs, backups, archives, local models."""
