"""Commands that show what is stored: episodes, chains, catalogs, examples and documentation."""
