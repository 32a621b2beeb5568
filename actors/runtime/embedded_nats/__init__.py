"""The NATS server that Troupe starts for itself: the program, its directory, its process and the
watchdog that ends it."""
