"""Whether rules of games are right: checks of rulesets, of catalogs, and of files of them."""
