"""Rock, paper, scissors: an environment in a package of its own."""
