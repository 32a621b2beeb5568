"""Errors of callers of the gateway, each with a one-sentence message."""

from actors.typed_values import suggestion
from events.untrusted.redacted_urls import without_secrets
from events.untrusted.safe_text import shortened


class GatewayError(ValueError):
    """The root of errors made for the person at the keyboard."""


class BadArgument(GatewayError):
    """An argument that cannot be used."""

    def __init__(self, what: str, given: str, why: str) -> None:
        super().__init__(f"{what} {shortened(given)!r}: {shortened(why, 1_000)}")
        self.what, self.given, self.why = what, given, why


class BadSetting(GatewayError):
    """An environment variable whose value cannot be used."""

    def __init__(self, variable: str, given: str, why: str) -> None:
        super().__init__(f"{variable} {shortened(given)!r} {shortened(why, 1_000)}")
        self.variable, self.given, self.why = variable, given, why


class NatsAway(GatewayError):
    """The NATS server that the settings name does not answer; nothing was begun."""

    def __init__(self, url: str, reason: str) -> None:
        url = without_secrets(url)
        super().__init__(
            f"no NATS server answers at {shortened(url)} ({shortened(reason, 1_000)}); start it, "
            "correct TROUPE_NATS_URL, or unset it to use the embedded server"
        )
        self.url, self.reason = url, reason


class Unfinished(GatewayError):
    """What was begun waits: for a larger budget, a model that can be asked, or whoever stopped it.

    ``id``: of the run or episode."""

    def __init__(self, id_: str, why: str, how_to_go_on: str) -> None:
        super().__init__(f"{shortened(why, 1_000)}; {shortened(how_to_go_on, 1_000)}")
        self.id, self.why = id_, why


did_you_mean = suggestion
"""What to say of a word that is spelt almost right."""
