"""Studies with people: the plan file, the pages, the lobby, and what looks after those inside."""
