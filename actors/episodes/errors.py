"""Why an episode is left where it is."""


class Suspended(Exception):
    """An episode is left where it is: its run may spend no more, or another process plays it."""


class ProcessStopping(Suspended):
    """An episode is left where it is, because this process stops; another may go on with it."""


class Passivated(Suspended):
    """An episode has left memory until one of its remote seats says something; it stays with this
    process."""


class OwnershipLost(Suspended):
    """An episode is left where it is, because another process plays it."""

    def __init__(self) -> None:
        super().__init__("another process plays it")
