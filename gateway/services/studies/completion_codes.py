"""Completion codes of single sessions."""

import secrets

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without those that are mistaken for each other."""
_LENGTH = 8


def new_code() -> str:
    """A random code that nobody guesses, for example ``K7Q2-9XMD``."""
    text = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    return f"{text[:4]}-{text[4:]}"
