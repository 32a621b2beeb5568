"""Episodes of a plan in which seats are played by the caller: what ``troupe.gymnasium_env``,
``troupe.pettingzoo_env`` and ``troupe.inspect_task`` share, without those libraries."""
