"""What is said in a talk, and what its target makes of it (STSS, section 3.2)."""
