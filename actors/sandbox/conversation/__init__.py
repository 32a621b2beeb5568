"""Conversations: who may talk to whom, how a talk is written down, and cases, which are one talk
each."""
