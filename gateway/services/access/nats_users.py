"""Users of a NATS server, with permissions by role, in a file that its configuration includes.

::

    # nats.conf
    include "users.conf"

The file is JSON, which is a subset of NATS's format. It holds one account a space, so that
installations that share a server do not hear each other, and one user a token, called by the
token's id. Passwords stand in it: it is for the server alone (0600).

=============  ================================================================================
role           may
=============  ================================================================================
operator       everything within the space's account: servers, workers and gateways are operators
researcher     command any episode, and hear all that is said in the space
participant    publish commands of their own seat and that they type; hear what goes to that seat
=============  ================================================================================

Replies come to subjects below ``_INBOX.<user>``; a client has to be told so (``inbox_prefix``),
since with NATS's own ``_INBOX.>`` everybody could read the replies to all others.
"""

import json
import secrets
from pathlib import Path
from typing import Final, NotRequired, TypedDict

from events.untrusted.limits import MIB
from events.untrusted.safe_text import shortened
from events.wire import subjects
from gateway.errors import BadArgument, GatewayError
from gateway.services.access.roles import Principal
from store.files.atomic_files import atomic_write_text
from store.files.regular_files import read_regular

INBOXES: Final = "_INBOX"

Permissions = dict[str, dict[str, list[str]]]
"""By ``publish`` and ``subscribe`` the subjects under ``allow``."""


class _User(TypedDict):
    user: str
    password: str
    permissions: NotRequired[Permissions]


class _Account(TypedDict):
    jetstream: str
    users: list[_User]


class NoNatsUser(GatewayError):
    """A role that has nothing to do with NATS."""

    def __init__(self, role: str) -> None:
        super().__init__(
            f"{'an' if role[0] in 'aeiou' else 'a'} {shortened(role)} needs no NATS user: "
            "they come in over HTTP; operators, researchers and participants of a seat may have one"
        )
        self.role = role


class BadUsersFile(GatewayError):
    """The file is there and is not one of ours."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{shortened(str(path))} is no file of NATS users: {shortened(why)}")
        self.path, self.why = path, why


def permissions(principal: Principal, space: str) -> Permissions | None:
    """What a principal's NATS user may publish and hear; None: everything in the account. Raises
    ``NoNatsUser``."""
    inbox = f"{inbox_of(principal)}.>"
    if principal.role == "operator":
        return None
    if principal.role == "researcher":
        everything = f"troupe.{space}.>"
        commands = subjects.all_commands(space, "episode")
        return {"publish": {"allow": [commands]}, "subscribe": {"allow": [everything, inbox]}}
    if principal.role != "participant" or principal.seat is None:
        raise NoNatsUser(principal.role)
    place = space, principal.episode, principal.seat
    seat, news = subjects.seat(*place), subjects.seat_news(*place)
    heard = [seat, subjects.as_json(seat), news, subjects.as_json(news), inbox]
    said = [subjects.seat_command(*place), subjects.seat_typing(*place)]
    return {"publish": {"allow": said}, "subscribe": {"allow": heard}}


def inbox_of(principal: Principal) -> str:
    """Where replies to a principal's NATS user begin."""
    return f"{INBOXES}.{principal.token}"


def add_user(path: Path, principal: Principal, space: str) -> str:
    """Add a user to the file, which is made where there is none; its password. The server takes it
    up when told to (``nats-server --signal reload``). Raises ``BadUsersFile``, ``NoNatsUser``."""
    user: _User = {"user": principal.token, "password": secrets.token_urlsafe(24)}
    if (allowed := permissions(principal, space)) is not None:
        user["permissions"] = allowed
    accounts = _read(path)
    account = accounts.setdefault(space, {"jetstream": "enabled", "users": []})
    account["users"].append(user)
    _write(path, accounts)
    return user["password"]


def remove_users(path: Path, tokens: frozenset[str]) -> int:
    """Take users out of the file; how many there were. Raises ``BadUsersFile``."""
    accounts, removed = _read(path), 0
    for account in accounts.values():
        kept = [user for user in account["users"] if user["user"] not in tokens]
        removed += len(account["users"]) - len(kept)
        account["users"] = kept
    if removed:
        _write(path, accounts)
    return removed


def _read(path: Path) -> dict[str, _Account]:
    try:
        data = json.loads(read_regular(path, 16 * MIB))
        accounts = data["accounts"]
        assert all(
            isinstance(user["user"], str) for one in accounts.values() for user in one["users"]
        )
    except FileNotFoundError:
        return {}
    except IsADirectoryError as error:
        raise BadArgument("--nats", str(path), "is a folder; name a file") from error
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
        raise BadUsersFile(path, str(error)) from error
    return dict(accounts)


def _write(path: Path, accounts: dict[str, _Account]) -> None:
    # Whoever reads sees one whole file or the other.
    atomic_write_text(path, json.dumps({"accounts": accounts}, indent=2) + "\n")
