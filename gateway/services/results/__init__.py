"""Use cases on what was played: score runs, compare runs and judges, read chains and curves,
validate judges."""
