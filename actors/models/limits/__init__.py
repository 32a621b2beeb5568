"""What holds calls to models within limits: concurrency, rates, budgets and circuit breakers."""
