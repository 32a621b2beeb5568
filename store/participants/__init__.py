"""The keys that participants' words are encrypted with, and where they are stored."""
