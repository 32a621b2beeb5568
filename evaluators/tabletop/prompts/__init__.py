"""The words by which a model is asked what players have learned."""
