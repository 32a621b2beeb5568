"""The adapter for all other providers, through LiteLLM: calls, prices, embeddings, and LiteLLM's
data about providers."""
