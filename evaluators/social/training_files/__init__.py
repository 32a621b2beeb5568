"""What trainers of models are given of social episodes: which seats and actions, and what each is
worth (SOTOPIA-π, Wang et al. 2024; Sotopia-RL, Yu et al. 2025). Pure."""
