"""How runs, episodes, catalogs and comparisons are printed in a terminal."""
