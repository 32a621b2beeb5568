"""Chains: the same characters meet again, and remember."""

from typing import Annotated

import msgspec

from gateway.api.operations import Call, operation
from gateway.api.paging import Page, Paged, slice_of
from gateway.api.resources.runs import Stopped, Words
from gateway.services.results.chain_details import (
    ChainDetails,
    Remembered,
    chain_details,
    chains_listed,
    remembered,
)
from gateway.services.runs.stop import stop_chain
from store.read_model import queries
from store.read_model.records import ChainRow


class ListChains(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which chains."""

    run: Words = ""
    """Only of this run."""
    hidden: bool = False
    """With those of runs that lists leave out."""


class OfMemory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose, and of which episode."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    """Only this seat's, from 1."""
    index: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] | None = None
    """Only of this episode, from 0, with the words it was reminded with."""


@operation("GET", "/chains", tag="chains", keeping="head")
def list_chains(call: Call, query: ListChains) -> Page[ChainRow]:
    """List chains, in the order of their plans."""
    rows = chains_listed(call.store, query.run, archived=query.hidden)
    return slice_of(rows, query, lambda row: row.id)


@operation("GET", "/chains/{chain}", tag="chains", keeping="head")
def get_chain(call: Call, chain: str) -> ChainDetails:
    """A chain: its episodes in order, and what its seats remembered."""
    return chain_details(call.store, chain)


@operation("GET", "/chains/{chain}/memory", tag="chains", keeping="head")
def get_memory(call: Call, chain: str, query: OfMemory) -> tuple[Remembered, ...]:
    """What the seats of a chain kept of each episode, and what they were reminded of."""
    return tuple(remembered(call.store, chain, query.seat, query.index))


@operation("POST", "/chains/{chain}/stop", tag="chains")
def stop_a_chain(call: Call, chain: str) -> Stopped:
    """Have a chain go no further. Its run goes on."""
    id_ = queries.find_chain(call.store, chain)
    return Stopped(id=id_, outcome=stop_chain(call.settings, call.store, id_))
