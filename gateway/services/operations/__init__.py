"""Use cases of operators: check the installation, inspect the fleet, retry dead jobs."""
