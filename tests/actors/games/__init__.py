"""Games: minds, prompts, words."""
