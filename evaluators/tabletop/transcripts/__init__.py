"""Five sessions at an invented table, and the skill checks that are called for in them."""
