"""What a report is made of: runs read from the store, headline figures, tables to download."""
