"""The job queue on JetStream: streams, delivery, the worker that carries jobs out, and dead
letters."""
