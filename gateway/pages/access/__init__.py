"""The pages for signing in and out."""
