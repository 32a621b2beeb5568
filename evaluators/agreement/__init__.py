"""Agreement between judges, between people, and between judges and people."""
