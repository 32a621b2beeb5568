"""How what was done in a town is judged: by rule, over what everybody did (STSS, 2404.05337)."""
