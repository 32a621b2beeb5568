"""Reasons why a model cannot run on this machine."""

from actors.models.errors import ModelError


class LocalFault(ModelError):
    """A local model cannot be run."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__("not_found", why, may_pass=False)
        self.what = "cannot be run here"
        self.remedy = remedy


class ServerStopped(ModelError):
    """A local model's server has ended; the next attempt starts it again."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__("connection", why, may_pass=True)
        self.remedy = remedy
