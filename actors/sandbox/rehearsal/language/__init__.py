"""What the offline minds read out of English text, and how they phrase their own."""
