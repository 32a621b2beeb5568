"""The parts of HTTP that all adapters share: parameters, status codes, and bounded reading of
replies."""
