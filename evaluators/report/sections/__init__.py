"""The sections of a report, each as values for its template."""
