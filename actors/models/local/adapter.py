"""The adapter of local models: the direct adapter, with a server that is started when it is
needed."""

import asyncio

from actors.models.direct.adapter import DirectModel, SharedSession
from actors.models.direct.context_length import served_context
from actors.models.errors import ModelError
from actors.models.http.reply_bytes import ReplyLimits
from actors.models.local.faults import LocalFault, ServerStopped
from actors.models.local.runtime import Served
from actors.models.local.server import LocalServer
from actors.models.local.settings import LocalSettings
from actors.models.port import ModelReply, ModelRequest
from events.base import replace
from events.minds import ModelSpec


class LocalServers:
    """Those that a process uses."""

    def __init__(self, settings: LocalSettings | None) -> None:
        """``settings``: None where this process has no place for them."""
        self._settings = settings
        self._servers: dict[str, LocalServer] = {}

    def asked(self, spec: ModelSpec) -> ModelSpec:
        """A specification as this process asks for it."""
        return spec if self._settings is None else self._settings.asked(spec)

    @property
    def context(self) -> int:
        """Tokens that a prompt and its answer may have, as the settings say; 0: there are none."""
        return 0 if self._settings is None else self._settings.context

    def server_of(self, model: str) -> LocalServer:
        """A model's, started or not. Raises ``LocalFault``."""
        if self._settings is None:
            raise LocalFault("this process has no data folder", "ask it from `troupe`")
        server = self._servers.get(model)
        if server is None:
            server = self._servers[model] = LocalServer(model, self._settings)
        return server

    def close(self) -> None:
        """Leave them all."""
        for server in self._servers.values():
            server.leave()


class LocalModel:
    """One model of this machine."""

    def __init__(
        self, spec: ModelSpec, servers: LocalServers, session: SharedSession, limits: ReplyLimits
    ) -> None:
        self._spec, self._servers = spec, servers
        self._session, self._limits = session, limits
        self._direct: DirectModel | None = None

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The answer. Raises ``ModelError``."""
        if request.embeds:
            raise LocalFault("it makes no embeddings", "name another embedder, or none")
        server = self._servers.server_of(self._spec.name)
        direct = self._direct or await self._joined(server)
        try:
            return await direct.complete(request)
        except ModelError as error:
            if error.reason != "connection":
                raise
            # The next attempt starts it again.
            self._direct = None
            words = await asyncio.to_thread(server.log_words, -1)
            said = f" ({words})" if words else ""
            raise ServerStopped(
                f"its server has stopped{said}",
                f"see {server.log}; if memory was short, lower "
                "TROUPE_LOCAL_SLOTS or take a smaller model",
            ) from error

    async def context(self) -> int:
        """Tokens that fit into a prompt with its answer, as its server says, which may have been
        started by a process with other settings; else as the settings of this one do. Raises
        ``LocalFault``."""
        served = await asyncio.to_thread(self._servers.server_of(self._spec.name).joined)
        said = await served_context(self._at(served), self._session, key=served.key)
        return said or self._servers.context

    async def _joined(self, server: LocalServer) -> DirectModel:
        served = await asyncio.to_thread(server.joined)
        at = self._at(served)
        self._direct = DirectModel(at, self._session, self._limits, key=served.key)
        return self._direct

    def _at(self, served: Served) -> ModelSpec:
        return replace(self._spec, adapter="direct", base_url=f"{served.url}/v1")
