"""Skill checks that game masters call for in transcripts of real sessions."""
