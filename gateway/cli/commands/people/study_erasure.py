"""``troupe study erase``, ``troupe study keys``: what participants wrote, and the keys of it."""

import getpass
from typing import Annotated

import typer

from actors.studies.rules import Erase, decide
from gateway.cli.commands.people.studies import StudyId, study
from gateway.cli.options import Yes, confirm, open_session
from gateway.cli.terminal.output import escape, note, print_next, say
from gateway.errors import BadArgument
from gateway.services.participants.erase_words import Erasure
from gateway.services.studies.erase_participant import erase as erase_
from gateway.services.studies.study_repository import Studies
from store.log.event_store import EventStore
from store.participants.key_locations import KeyLocation, place_of, url_fault
from store.participants.participant_keys import ParticipantKeys, keys_of
from store.participants.shared_key_store import choose, move

__all__ = ["study"]


@study.command("erase")
def erase(
    what: StudyId,
    participant: Annotated[
        str,
        typer.Argument(
            metavar="PARTICIPANT",
            help="The pseudonym, as in `sessions.csv` of `troupe study export`.",
        ),
    ],
    yes: Yes = False,
) -> None:
    """Erase a participant's words permanently by deleting their key."""
    with open_session() as (_, store):
        studies = Studies(store)
        id_ = studies.find(what)
        # Who asks for what there is not is told so before they are asked.
        decide(studies.load(id_).state, Erase(participant=participant))
        if not yes:
            confirm(
                f"Every word of {participant} will read [erased], for good, here and in every "
                "backup that holds no keys. Go on?"
            )
        _erased(store, id_, participant, erase_(store, id_, participant, getpass.getuser()))


@study.command("keys")
def keys(
    old: Annotated[
        str,
        typer.Argument(
            metavar="[FROM]",
            help="The URL or file of the present key store. Default: the default key store.",
        ),
    ] = "",
    yes: Yes = False,
) -> None:
    """Move participants' keys to the configured key store.

    The key store is configured by TROUPE_KEYS_URL; by default it is beside the log. The log records
    the new place, and processes with another setting do not start any more: stop all others first.
    Texts whose keys are in neither place read [erased] until the keys are moved.
    """
    with open_session() as (_, store):
        own = keys_of(store.url)
        url = f"sqlite:///{old}" if old and ":" not in old else old
        if url and (why := url_fault(url)):
            raise BadArgument("FROM", old, why)
        source = ParticipantKeys(KeyLocation(url) if url else place_of(store.url, ""))
        rows = source.rows() if source.place != own.place else ()
        if not yes:
            confirm(
                f"{len(rows)} keys move to {own.place.shown}, where this store's keys are from "
                "then on. Go on?"
            )
        choose(store)
        moved, stay = move(source, own) if rows else ((), ())
        source.close()
        say(f"{len(moved)} keys were moved. Keys are in {escape(own.place.shown)}.")
        if stay:
            note(f"Not moved, since they have another key there: {', '.join(stay)}.")


def _erased(store: EventStore, id_: str, participant: str, done: Erasure) -> None:
    group = next(
        (
            place.episode
            for place in Studies(store).load(id_).state.places.values()
            if place.participant == participant
        ),
        "",
    )
    match done:
        case "erased":
            say(f"The words of [bold]{participant}[/] are erased.")
        case "erased_before":
            say(f"The words of [bold]{participant}[/] were erased before.")
            return
        case "nothing_written":
            say(f"[bold]{participant}[/] wrote nothing: there is nothing to erase.")
            return
    note(
        "What others remember of them word for word is erased, too. What others said themselves, "
        "and judges' reasons, stay; files exported before hold the words still."
    )
    if group:
        print_next([(f"troupe replay {group}", "show what is left")])
