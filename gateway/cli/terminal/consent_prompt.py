"""Asks for consent before contents of an imported file are sent to the address that it names."""

import sys
from collections.abc import Sequence

import typer

from actors.text.amounts import many
from gateway.cli.terminal.output import capitalized, console, escape, grid, note
from gateway.services.runs.confirm_destinations import Destination, NotAgreed


def agree(what: str, destinations: Sequence[Destination], *, yes: bool) -> None:
    """Show what would be sent where for something that came in a file, and have a person agree.
    Nothing is asked where nothing would be sent. Raises ``NotAgreed``."""
    if not destinations:
        return
    note(f"{escape(capitalized(what))} came in a file. Going on would send")
    table = grid(2, indent=2)
    for one in destinations:
        key = f"with the key in [bold]{escape(one.key)}[/]" if one.key else "naming no key"
        episodes = f"{many(one.episodes, 'episode')} at most"
        table.add_row(
            "",
            escape(one.who),
            f"prompts for {escape(one.model)} to [bold]{escape(one.to)}[/], {key}; {episodes}",
        )
    console(stderr=True).print(table)
    if yes:
        return
    if not sys.stdin.isatty():
        raise NotAgreed(what, asked=False)
    if not typer.confirm("Send it?", err=True):
        raise NotAgreed(what, asked=True)
