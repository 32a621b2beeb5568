"""Carries out runs: the coordinator, the remaining work, lost jobs, and per-process caches."""
