"""Analyses the text of a reply: thoughts, repetition, missing answers, and token usage."""
