"""What travels on NATS: messages and subjects."""
