"""Characters, relationships and scenarios for social catalogs, made from lists, pairs and sources
(SOTOPIA, Zhou et al. 2024, appendix C)."""
