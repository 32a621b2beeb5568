"""Runs taken out of the log into folders of files, and brought back to where they were.

``docs/decisions/0018-archived-runs-leave-tombstones.md`` says why it is done so.
"""
