"""Encrypts what participants said, wherever it is stored or repeated."""
