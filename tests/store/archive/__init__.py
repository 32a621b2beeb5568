"""Tests of archives and backups."""
