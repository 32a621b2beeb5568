"""Episodes as they are watched and played from outside, live."""
