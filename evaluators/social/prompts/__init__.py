"""The words shown to a model that judges; one template a file, never changed once used."""
