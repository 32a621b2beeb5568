"""Programs talk with a gateway: over HTTP, and over its socket."""
