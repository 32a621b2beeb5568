"""Virtual game masters: each kind, their files, and what they learn."""
