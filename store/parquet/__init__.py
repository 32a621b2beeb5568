"""The tables for analysis: their schemas, their batches, and the Parquet files."""
