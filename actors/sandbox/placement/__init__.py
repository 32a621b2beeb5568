"""Where people of a town do what they have planned: a part for planning minds."""
