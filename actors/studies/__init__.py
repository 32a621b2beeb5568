"""Rules of studies with people, without clock, randomness or I/O."""
