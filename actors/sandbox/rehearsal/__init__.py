"""The town's offline minds: seeded, deterministic, without a language model."""
