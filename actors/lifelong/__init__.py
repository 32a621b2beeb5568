"""Chains: the same characters meet again and again, and remember."""
