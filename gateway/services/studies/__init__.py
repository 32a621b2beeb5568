"""Studies with people: the plan file, the pages, the lobby, and the supervision of participants."""
