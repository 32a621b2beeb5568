"""Which process owns a piece of work: leases, and asking whether another process has a job."""
