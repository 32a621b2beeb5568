"""The researcher's pages of runs: all of them, one, its episodes, two side by side, a new one."""
