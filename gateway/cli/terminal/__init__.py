"""Terminal output in general: console, tables and their layout, progress bars, error messages,
questions to the user."""
