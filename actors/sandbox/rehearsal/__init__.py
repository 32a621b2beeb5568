"""The offline mind: no language model."""
