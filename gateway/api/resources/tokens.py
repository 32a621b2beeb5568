"""Tokens: issue, list and revoke them; and the audit log."""

from typing import Annotated, Literal

import msgspec

from events.base import Value
from events.untrusted.limits import MOST_ID
from gateway.api.operations import OPERATE, Call, operation
from gateway.api.paging import Page, Paged, slice_of
from gateway.api.problems import Refusal
from gateway.api.resources.runs import Words
from gateway.process.page_links import base_of
from gateway.services.access.audit_log import AuditRow, deeds
from gateway.services.access.roles import Principal, Role
from gateway.services.access.token_repository import Tokens, new_principal
from gateway.services.access.token_scopes import DEFAULT_S, LONGEST_S, not_begun, scope_of
from gateway.services.participants.erase_words import Erasure, require_none_in_clear
from gateway.services.participants.link_participants import erase_holder


class TokenFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A token that was issued; itself it is kept nowhere."""

    principal: Principal
    """Whom it makes its holder; ``token`` is its id."""
    stands: Literal["open", "used", "expired", "revoked"]
    """``used``: its link belongs to a device."""
    issued_by: str
    """Who issued it; empty: somebody at a terminal."""


class ListTokens(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which tokens."""

    all: bool = False
    """Those that are worth nothing any more, too."""


class NewToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to be let in."""

    role: Role
    """What its holder may do."""
    episode: Words = ""
    """A participant's or a spectator's."""
    seat: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """A participant's, from 1."""
    study: Words = ""
    """To take part in, or to annotate for."""
    name: Annotated[str, msgspec.Meta(max_length=MOST_ID)] = ""
    """How logs and events call the holder."""
    lasts_s: Annotated[float, msgspec.Meta(gt=0, le=LONGEST_S)] | None = None
    """Seconds; left out: as long as is usual for the role."""
    any_device: bool = False
    """The link works in more than one browser."""


class TokenIssued(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A token and a link, which are shown once."""

    id: str
    """By which it is listed and revoked."""
    token: str
    """For programs: ``Authorization: Bearer …``."""
    link: str
    """For people: it signs them in."""
    begun: bool = True
    """Whether the episode that it is for has begun; else its page waits for that."""


class TokenRevoked(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A token that is worth nothing."""

    id: str
    """The token's."""
    changed: bool
    """It was worth something before."""


class WordsErased(Value, frozen=True, kw_only=True, omit_defaults=False):
    """Words that are gone for good."""

    id: str
    """The token's."""
    participant: str
    """Whose words they were."""
    changed: bool
    """It was this request that erased them."""
    outcome: Erasure
    """What it came to."""


class ListDeeds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many."""

    most: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100
    """The latest."""


@operation("GET", "/tokens", tag="access", roles=OPERATE)
def list_tokens(call: Call, query: ListTokens) -> Page[TokenFound]:
    """Who may come in. Tokens themselves are kept nowhere."""
    found = [
        TokenFound(
            principal=one.principal,
            stands=one.standing(),  # type: ignore[arg-type]
            issued_by=one.issued_by,
        )
        for _, one, *_ in Tokens(call.store).all()
        if query.all or one.standing() in ("open", "used")
    ]
    return slice_of(found, query, lambda row: row.principal.token)


@operation("POST", "/tokens", tag="access", status=201, secret=True)
def issue_token(call: Call, body: NewToken) -> TokenIssued:
    """Let somebody in. Researchers let in annotators, participants and spectators."""
    if body.role in ("operator", "researcher") and call.principal.role != "operator":
        raise Refusal("forbidden", f"operators issue tokens of the role {body.role!r}", "role")
    episode, seat = scope_of(call.store, body.role, body.episode, body.seat, body.study, body.name)
    principal = new_principal(
        body.role,
        name=body.name,
        expires_s=body.lasts_s or DEFAULT_S[body.role],
        episode=episode,
        seat=seat,
        study=body.study,
    )
    access, bound = call.gateway.access, not body.any_device
    token = access.token_for(principal, bound=bound)
    link = base_of(call.settings) + access.link(principal, bound=bound)
    waits = not_begun(call.store, episode)
    return TokenIssued(id=principal.token, token=token, link=link, begun=not waits)


@operation("DELETE", "/tokens/{token}", tag="access", roles=OPERATE)
def revoke_token(call: Call, token: str) -> TokenRevoked:
    """Make a token worth nothing, links and sessions with it. Takes an id in full."""
    return TokenRevoked(id=token, changed=Tokens(call.store).revoke(token, call.principal.name))


@operation("POST", "/tokens/{token}/erase", tag="access")
def erase_words(call: Call, token: str) -> WordsErased:
    """Erase what was written in the seat of a participant's link, for good, here and in every
    backup that holds no keys. Participants of studies are erased there."""
    principal, done = erase_holder(call.store, token)
    require_none_in_clear(call.store, principal.episode, principal.name)
    return WordsErased(
        id=principal.token, participant=principal.name, changed=done == "erased", outcome=done
    )


@operation("GET", "/audit", tag="access", roles=OPERATE)
def list_deeds(call: Call, query: ListDeeds) -> tuple[AuditRow, ...]:
    """What operators and researchers did, the latest first."""
    return tuple(deeds(call.store, most=query.most))
