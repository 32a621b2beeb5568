"""Carrying out a run: the coordinator, what is left to do, lost jobs, and what a process keeps of
its runs."""
