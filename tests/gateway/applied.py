"""Applications whose handlers are made once.

To make those of all parts takes a hundred times as long as to answer a request. They are made once
in each process and shared by the applications of all gateways; a process that a test starts makes
its own.
"""

from collections.abc import Iterator
from copy import copy
from functools import cache

import pytest
from litestar import Litestar

from gateway.http import app, route_modules

made = cache(app.of_parts)


@pytest.fixture(scope="session", autouse=True)
def handlers_copied() -> Iterator[None]:
    """From the first application on, fixtures of sessions and modules included."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(app, "of_parts", _of_parts)
        yield


def _of_parts(wanted: tuple[route_modules.Routes, ...]) -> Litestar:
    own = copy(made(wanted))
    own.asgi_router = copy(own.asgi_router)
    own.asgi_router.app = own  # whose life it begins and ends
    return own
