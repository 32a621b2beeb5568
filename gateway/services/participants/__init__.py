"""What participants wrote: the keys it is encrypted under, and how it is erased."""
