"""How appends get into the database: collected into groups, one transaction a group."""
