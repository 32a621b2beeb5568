"""The interface that an environment implements, in small parts.

``environment`` is the record that an entry point names, ``game`` one kind of episode. A game has
the parts ``rules``, ``sight``, ``words``, ``prompts`` and ``tasks``, and optional further ones.
Nothing in rules and sight does I/O, reads a clock or draws a random number: time and randomness are
inputs, given with the setup. So a history replays exactly, a fork is cheap, and a property test can
play any environment without knowing its name. ``docs/how-to/environments.md`` explains it with an
example.
"""
