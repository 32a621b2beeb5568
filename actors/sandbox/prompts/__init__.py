"""The words that plain models are asked in."""
