"""Published files in, published files out."""
