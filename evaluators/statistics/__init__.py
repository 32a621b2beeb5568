"""Statistics over scores: means, intervals, tests, paired comparisons and curves."""
