"""The write path: appends are collected into groups, and each group is one transaction."""
