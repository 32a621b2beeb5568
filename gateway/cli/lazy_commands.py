"""Commands whose modules are imported when they are called, or asked for their own help.

``troupe --help`` shows fifty commands and imports none, and a command's module says at its top what
it needs. Therefore the description for lists of commands is given where the command is added; a
test compares it with the command's own help.
"""

from collections.abc import Mapping
from functools import partial
from pkgutil import resolve_name
from typing import Any, cast

import typer
from typer.core import TyperCommand
from typer.main import get_command_from_info, get_group
from typer.models import CommandInfo


class LazyCommand(TyperCommand):
    """A placeholder for a command or a group of commands. Its name, its place in lists and its
    description are known without loading the command; everything else loads it."""

    def __init__(self, where: str, *, name: str, help: str, hidden: bool, **_: object) -> None:
        # Without the base's attributes: those that are missing here are looked up in the command.
        self.name, self.sentence, self.hidden = name, help, hidden
        self.where = where
        """``module:NAME`` of a function or a ``typer.Typer``."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "command":
            self.command = self._load()
            return self.command
        return getattr(self.command, name)

    def get_short_help_str(self, limit: int = 45) -> str:
        """What a list of commands says."""
        del limit  # One sentence, which is never cut.
        return self.sentence

    def make_context(self, *args: object, **kwargs: object) -> Any:
        """The command's, by which all the rest is done."""
        return self.command.make_context(*args, **kwargs)

    def _load(self) -> Any:
        found = resolve_name(self.where)
        if isinstance(found, typer.Typer):
            found.rich_markup_mode = None  # Groups take it from the command line they are added to.
            group = get_group(found)
            group.name = self.name
            return group
        info = CommandInfo(self.name, callback=found, hidden=self.hidden)
        return get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode=None)


def add_commands(app: typer.Typer, module: str, commands: Mapping[str, tuple[str, str]]) -> None:
    """Add commands of one module: by the name of each, its function or ``Typer`` there and its
    sentence."""
    for name, (function, sentence) in commands.items():
        add_command(app, name, f"{module}:{function}", sentence)


def add_command(
    app: typer.Typer, name: str, where: str, sentence: str, *, hidden: bool = False
) -> None:
    """Add a command, or a group of them, that is found at ``where``: ``module:NAME``."""
    lazy = cast("type[TyperCommand]", partial(LazyCommand, where))
    app.command(name, cls=lazy, help=sentence, hidden=hidden)(_never_called)


def keep_former_names(app: typer.Typer, names: Mapping[str, str]) -> None:
    """Have commands also answer to the names they had before, which no list shows.

    ``names``: by the former name of each command the one it has now, in ``app``.
    """
    infos = {info.name: info for info in app.registered_commands}
    for former, name in names.items():
        now = vars(infos[name])
        app.registered_commands.append(CommandInfo(**now | {"name": former, "hidden": True}))


def _never_called() -> None:
    """Typer wants a function of each command."""
