"""The pages of annotation studies, for annotators and researchers."""
