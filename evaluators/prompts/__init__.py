"""How a model is asked to judge an episode of any environment."""
