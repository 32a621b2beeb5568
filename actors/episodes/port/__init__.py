"""The port: what an environment is made of, each part small enough to be read at once.

``environment`` is the record that an entry point names, ``game`` one kind of episode. A game has
``rules``, ``sight``, ``words``, ``prompts`` and ``tasks``, and further parts if it wants them.
Nothing in rules and sight does I/O, reads a clock or draws a random number: time and randomness
come in with the setup. So a history replays exactly, a fork is cheap, and a property test can play
any environment without knowing its name. ``docs/how-to/environments.md`` teaches it by an example.
"""
