"""Formats numbers of bytes for people."""


def in_bytes(size: int) -> str:
    """In megabytes, and what is less than one in kilobytes: ``12.3 MB``, ``43 kB``."""
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"
