"""Catalogs of world trees: the starter catalog ``crossroads``, checks, and pages for authors."""
