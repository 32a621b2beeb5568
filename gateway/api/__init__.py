"""The REST API: everything the command line can do, over HTTP (docs/reference/api.md)."""

from gateway.api.routing import routes

__all__ = ["routes"]
