"""The sandbox (STSS): characters live in a tile town, and are scored by what they do."""
