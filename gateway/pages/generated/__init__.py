"""The pages *Generated*: items of catalogs that were generated, and the review of each."""

from gateway.pages.generated.handlers import routes

__all__ = ["routes"]
"""``/generated``, ``/generated/<name>`` and ``/generated/<name>/<id>``."""
