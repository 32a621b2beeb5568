"""Use cases on runs: plan, forecast, start, resume, stop, watch, and read how they stand."""
