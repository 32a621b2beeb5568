"""The adapter for every other provider through LiteLLM, with its prices, its embeddings and what it
knows of providers."""
