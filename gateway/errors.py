"""What the outside can do wrong, each in one sentence."""


class GatewayError(ValueError):
    """The root of errors made for the person at the keyboard."""


class BadArgument(GatewayError):
    """An argument that cannot be used."""

    def __init__(self, what: str, given: str, why: str) -> None:
        super().__init__(f"{what} {given!r}: {why}")
        self.what, self.given, self.why = what, given, why
