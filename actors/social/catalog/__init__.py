"""Catalogs of social scenarios: the starter catalog, casting of tasks, sampling, checks, and pages
for authors."""
