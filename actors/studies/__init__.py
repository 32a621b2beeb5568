"""Studies with people: the rules, without a clock, chance or I/O."""
