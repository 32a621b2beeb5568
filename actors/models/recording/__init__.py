"""Calls to models as events: looked up before they are made and recorded when they are answered."""
