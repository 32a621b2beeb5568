"""Commands that play: run, resume, stop, direct, play a seat, fork, interview."""
