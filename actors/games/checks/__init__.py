"""Whether rules of games are right: checks of rulesets and catalogs, and of the files they are in."""
