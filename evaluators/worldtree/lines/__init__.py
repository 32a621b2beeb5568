"""Free lines beside those of their trees: sheets for people, a judge, and the ratios of Table 4 of
SocialEval."""
