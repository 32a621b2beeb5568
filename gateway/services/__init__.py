"""Use cases by subject, without HTTP, HTML or terminals: the command line, the REST API and the
pages call them."""
