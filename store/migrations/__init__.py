"""The tables' history: one file a change in ``versions``, never altered once released."""
