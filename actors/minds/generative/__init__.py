"""Minds that plan, remember and reflect (Generative Agents, 2304.03442; STSS, 2404.05337)."""
