"""Use cases on single episodes: show, compare, fork, direct, interview, and take a seat."""
