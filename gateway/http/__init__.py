"""The HTTP application: what all pages and the API share."""
