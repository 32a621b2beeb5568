"""Static files under ``/static/``: modules, styles, icons.

They lie in ``gateway/static/<part>/``. A template names one with ``static("runs/list.js")``, which
gives ``/static/~<digest>/runs/list.js``. The digest is that of all the files together, so modules
import each other by relative paths (``import { at } from "../shared/at.js"``) and get the same
version; a browser keeps them for good. Without a digest, or with another version's (two gateways
during an upgrade), the file is served as it is and not kept.

An environment or another package adds a folder of its own with ``STATIC.add("environments/name",
folder)``, before the application is made.
"""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from gateway.http.guards import AnyRequest

FOLDER: Final = Path(__file__).parent.parent / "static"
_TYPES: Final = {
    ".js": "text/javascript",
    ".ts": "text/plain",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".html": "text/plain",
}
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "public, no-cache"


@dataclass(frozen=True, kw_only=True)
class StaticFile:
    """One file, ready to be sent."""

    content: bytes
    small: bytes
    """The same, compressed by gzip; empty where that saves nothing."""
    media_type: str
    etag: str


class StaticFiles:
    """All static files; read once, when the first is asked for."""

    def __init__(self, folder: Path) -> None:
        self._roots = {"": folder}

    def add(self, prefix: str, folder: Path) -> None:
        """Serve a folder's files under ``/static/<prefix>/``."""
        self._roots[prefix.strip("/") + "/"] = folder
        self.__dict__.pop("files", None)
        self.__dict__.pop("digest", None)

    @cached_property
    def files(self) -> dict[str, StaticFile]:
        """By their path below ``/static/``. What is not among them does not exist, whatever the
        path looks like."""
        return {
            prefix + path.relative_to(root).as_posix(): _file(path)
            for prefix, root in self._roots.items()
            for path in sorted(root.rglob("*"))
            if path.is_file() and not any(part[0] in "._" for part in path.relative_to(root).parts)
        }

    @cached_property
    def digest(self) -> str:
        """Of all files together."""
        digest = hashlib.sha256()
        for name, file in sorted(self.files.items()):
            digest.update(f"{name}\0{file.etag}\0".encode())
        return digest.hexdigest()[:12]

    def url(self, name: str) -> str:
        """Where a file is to be had. Raises ``LookupError`` where there is none: a template that
        names a missing file is a fault."""
        if name not in self.files:
            raise LookupError(f"there is no gateway/static/{name}")
        return f"/static/~{self.digest}/{name}"


def _file(path: Path) -> StaticFile:
    content = path.read_bytes()
    small = gzip.compress(content, 9, mtime=0)
    return StaticFile(
        content=content,
        small=small if len(small) < 0.9 * len(content) else b"",
        media_type=_TYPES.get(path.suffix)
        or mimetypes.guess_type(path.name)[0]
        or "application/octet-stream",
        etag=f'"{hashlib.sha256(content).hexdigest()[:16]}"',
    )


STATIC: Final = StaticFiles(FOLDER)


@get("/static/{path:path}", sync_to_thread=False)
def static_file(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
    """A static file; 304 where the browser has it."""
    name = path.lstrip("/")
    version, _, rest = name.partition("/")
    if version.startswith("~"):
        name = rest
    file = STATIC.files.get(name)
    if file is None:
        raise NotFoundException
    current = version == f"~{STATIC.digest}"
    headers = {
        "cache-control": _FOR_GOOD if current else _ASK_AGAIN,
        "etag": file.etag,
        "vary": "accept-encoding",
    }
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    content = file.content
    if file.small and "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["content-encoding"] = file.small, "gzip"
    return Response(content, headers=headers, media_type=file.media_type)
