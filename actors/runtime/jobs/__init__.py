"""The job queue on JetStream: streams, delivery, the workers, and dead letters."""
