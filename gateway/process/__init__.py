"""Infrastructure of a process: worker node, leases, registration and discovery, NATS subscriptions,
logs, traces, limits."""
