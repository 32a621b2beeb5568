"""Translating a tree between Chinese and English: names first, then scene by scene; ids, edges,
goals and abilities are never shown, and so never changed."""
