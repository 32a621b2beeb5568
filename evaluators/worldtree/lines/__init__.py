"""Free lines beside the lines a tree has: sheets for people, a judge, and the ratios of SocialEval's
Table 4."""
