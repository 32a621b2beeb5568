"""The free line: what a protagonist would say without being shown any options (SocialEval, Table
4)."""
