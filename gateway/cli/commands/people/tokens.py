"""``troupe token issue|list|revoke``, ``troupe audit``."""

import re
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from actors.text.amounts import many
from gateway.cli.options import Json, Yes, confirm, open_session
from gateway.cli.terminal.output import (
    Column,
    escape,
    print_plain_json,
    print_result,
    print_table,
    say,
)
from gateway.errors import BadArgument
from gateway.http.authentication import Access
from gateway.process.page_links import base_of
from gateway.services.access.audit_log import deeds, record_deed
from gateway.services.access.nats_users import add_user, inbox_of, remove_users
from gateway.services.access.roles import Principal
from gateway.services.access.token_repository import Tokens, new_principal
from gateway.services.access.token_scopes import DEFAULT_S, LONGEST_S, not_begun, scope_of
from gateway.services.participants.erase_words import require_none_in_clear
from gateway.services.participants.link_participants import erase_holder, make_key
from gateway.settings import Settings

tokens = typer.Typer(no_args_is_help=True, help="Create and revoke access tokens.")

RoleName = Literal["operator", "researcher", "annotator", "participant", "spectator"]
UNITS: Final = {"m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0}


@tokens.callback()
def _tokens() -> None:
    """Create and revoke access tokens."""


@tokens.command()
def issue(
    role: Annotated[
        RoleName, typer.Argument(metavar="ROLE", help="The role: what its holder may do.")
    ],
    episode: Annotated[
        str,
        typer.Argument(metavar="[EPISODE]", help="The episode that the holder plays or watches."),
    ] = "",
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="N", min=1, help="The participant's seat, from 1."),
    ] = None,
    study: Annotated[
        str,
        typer.Option("--study", metavar="STUDY", help="The study to take part in or annotate for."),
    ] = "",
    name: Annotated[
        str, typer.Option("--name", help="The name of the holder in logs and events.")
    ] = "",
    expires: Annotated[
        str, typer.Option("--expires", metavar="30m|12h|7d|4w", help="The time until it expires.")
    ] = "",
    any_device: Annotated[
        bool, typer.Option("--any-device", help="Allow more than one browser.")
    ] = False,
    nats: Annotated[
        Path | None,
        typer.Option("--nats", metavar="FILE", help="Also add a NATS user to this file."),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Print only the token, for a file or a variable.")
    ] = False,
    json: Json = False,
) -> None:
    """Issue a sign-in link for a person and a token for programs.

    Roles are operator, researcher, annotator, participant and spectator (docs/how-to/access.md). A
    link works only in the browser that opens it first. Link and token are printed only once. With
    --nats, a program also gets a user of the NATS server whose configuration includes the file. The
    user has the permissions of the role: a participant may only send commands of its own seat.
    """
    if raw and (json or nats is not None):
        other = "--json" if json else "--nats"
        raise BadArgument("--raw", other, "prints more than the token; give one of the two")
    lasts = seconds_of(expires) if expires else DEFAULT_S[role]
    with open_session() as (settings, store):
        episode, place = scope_of(store, role, episode, seat, study, name)
        principal = new_principal(
            role, name=name, expires_s=lasts, episode=episode, seat=place, study=study
        )
        if nats is not None:
            # A program that plays by itself passes no gateway, which would make one.
            make_key(store, principal)
        access = Access(settings, store)
        token = access.token_for(principal, bound=not any_device)
        link = base_of(settings) + access.link(principal, bound=not any_device)
        user = {} if nats is None else _nats_user(settings, nats, principal)
        record_deed(store, None, "issue token", principal.token)
        waits = not_begun(store, episode)
    if raw:
        _whole(token)
        return
    if json:
        made = {"id": principal.token, "link": link, "token": token, "begun": not waits}
        print_plain_json(made | ({"nats": user} if user else {}))
        return
    say(f"[bold]{principal.token}[/]: {escape(_described(principal))}, until {_time(principal)}.")
    say()
    say("A link:" if any_device else "A link, for the first browser that opens it:")
    _whole(link)
    if waits:
        told = "the page of this link says so, waits, and goes on by itself once it is played"
        say(f"[yellow]Episode {episode} has not begun yet: {told}.[/]")
    say()
    say("A token for programs (Authorization: Bearer …):")
    _whole(token)
    if user:
        say()
        say(f"A NATS user, in {escape(str(nats))} (`nats-server --signal reload` takes it up):")
        for what, value in user.items():
            _whole(f"{what}={value}")


@tokens.command("list")
def list_tokens(
    all_: Annotated[
        bool, typer.Option("--all", help="Include expired and revoked tokens.")
    ] = False,
    json: Json = False,
) -> None:
    """List access tokens.

    The tokens themselves are not stored: if one is lost, revoke its id and issue another.
    """
    with open_session() as (_, store):
        states = [one.state for one in Tokens(store).all()]
        found = [one for one in states if all_ or one.standing() in ("open", "used")]
    if print_result(found, json=json):
        return
    if not found:
        say("Nobody: `troupe token issue ROLE` lets somebody in.")
        return
    print_table(
        (Column("token", "id"), "who", "for", "until", "stands"),
        [
            (
                one.principal.token,
                one.principal.name,
                _described(one.principal),
                _time(one.principal),
                one.standing(),
            )
            for one in found
        ],
    )


@tokens.command()
def revoke(
    ids: Annotated[
        list[str],
        typer.Argument(metavar="TOKEN", help="The ids of tokens, or unique prefixes of them."),
    ],
    nats: Annotated[
        Path | None,
        typer.Option("--nats", metavar="FILE", help="Also remove their NATS users from this file."),
    ] = None,
) -> None:
    """Revoke tokens, with their links and sessions.

    Gateways notice within seconds, and close open connections.
    """
    with open_session() as (_, store):
        issued = Tokens(store)
        for given in ids:
            token = issued.find(given)
            if issued.revoke(token):
                record_deed(store, None, "revoke token", token)
                say(f"Revoked [bold]{token}[/].")
            else:
                say(f"[bold]{token}[/] was revoked before.")
            if nats is not None:
                count = remove_users(nats, frozenset({token}))
                say(f"{many(count, 'NATS user')} taken out of {escape(str(nats))}.")


@tokens.command()
def erase(
    token: Annotated[
        str,
        typer.Argument(
            metavar="TOKEN", help="The id of a participant's token, or a unique prefix of it."
        ),
    ],
    yes: Yes = False,
) -> None:
    """Erase permanently what was written with a participant's link.

    For people who took a seat by a link of `troupe token issue participant`. For participants of
    studies, use `troupe study erase`.
    """
    with open_session() as (_, store):
        if not yes:
            confirm(
                "Every word that was written in the seat of this link, and of others of the same "
                "name, will read [erased], for good, here and in every backup that holds no keys. "
                "Go on?"
            )
        principal, done = erase_holder(store, token)
        record_deed(store, None, "erase words", principal.token)
        require_none_in_clear(store, principal.episode, principal.name)
    who = f"[bold]{escape(principal.name)}[/]"
    match done:
        case "erased":
            say(f"The words of {who} are erased.")
        case "erased_before":
            say(f"The words of {who} were erased before.")
        case "nothing_written":
            say(f"{who} never sat down: there is nothing to erase.")


def audit(
    most: Annotated[
        int, typer.Option("--most", "-n", metavar="N", min=1, help="The maximum number of actions.")
    ] = 100,
    json: Json = False,
) -> None:
    """List the actions of operators and researchers, newest first."""
    with open_session() as (_, store):
        rows = list(deeds(store, most=most))
    if print_result(rows, json=json):
        return
    if not rows:
        say("Nothing yet.")
        return
    print_table(
        ("when", "who", "did", "to", "from"),
        [
            (
                _moment(row.at),
                row.done.by or "(a terminal)",
                row.done.deed,
                row.done.subject,
                row.done.address,
            )
            for row in rows
        ],
    )


def seconds_of(text: str) -> float:
    """A length of time such as ``90m``, in seconds. Raises ``BadArgument``."""
    found = re.fullmatch(r"(\d{1,5}(?:\.\d{1,3})?)([mhdw])", text.strip())
    seconds = float(found[1]) * UNITS[found[2]] if found else 0.0
    if not 0 < seconds <= LONGEST_S:
        why = "must be a number with m, h, d or w, such as 90m or 7d, and 400 days at most"
        raise BadArgument("--expires", text, why)
    return seconds


def _nats_user(settings: Settings, file: Path, principal: Principal) -> dict[str, str]:
    """The settings of a program that speaks NATS as a principal."""
    password = add_user(file, principal, settings.space)
    address = settings.nats_url.partition(",")[0].rpartition("://")[2].rpartition("@")[2]
    url = f"nats://{principal.token}:{password}@{address or 'HOST:4222'}"
    return {"TROUPE_NATS_URL": url, "TROUPE_SPACE": settings.space, "inbox": inbox_of(principal)}


def _described(principal: Principal) -> str:
    parts: list[str] = [principal.role]
    if principal.seat is not None:
        parts.append(f"seat {principal.seat + 1}")
    if principal.episode:
        parts.append(f"of {principal.episode}")
    if principal.study:
        parts.append(f"of study {principal.study}")
    return " ".join(parts)


def _time(principal: Principal) -> str:
    return _moment(principal.expires)


def _moment(at: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(at / 1_000_000, UTC):%Y-%m-%d %H:%M} UTC"


def _whole(text: str) -> None:
    """On a line of its own, never broken: it is copied."""
    import sys

    sys.stdout.write(f"{text}\n")
