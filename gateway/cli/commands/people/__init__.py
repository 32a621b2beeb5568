"""Commands for studies, annotation, and access tokens."""
