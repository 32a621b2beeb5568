"""The scores of runs, by column, seat and episode, with their dimensions and scales."""
