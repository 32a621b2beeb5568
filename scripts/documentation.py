"""MkDocs hooks: what the site has that no file in ``docs/`` holds (``mkdocs.yml``, ``make docs``).

- The pages of commands and settings are completed from the code, at their ``generated`` comments.
- README's neighbours (changelog, citations, contributing, security) become pages of the site.
- Links to other files of the repository lead to copies of them; links to folders become text. A
  link to a file that does not exist is left as it is, so that MkDocs reports it.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from gateway.cli.command_groups import GROUPS, OTHERS
from gateway.cli.main import app
from gateway.settings import VARIABLES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parent.parent
ROOT_PAGES: Final = {
    name: name.lower()
    for name in ("CHANGELOG.md", "CITATIONS.md", "CONTRIBUTING.md", "SECURITY.md")
}
"""Pages at the root of the repository, and where the site has them."""
COPIES: Final = "files"
"""The folder of the site that holds copies of other files."""
LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
"""A link or a picture, which may be the text of another link."""
MARK: Final = re.compile(r"<!-- generated: (\w+) -->")
VALUES: Final = {
    "str": "TEXT",
    "list[str]": "TEXT",
    **dict.fromkeys(("int", "int range", "float", "float range"), "N"),
}
"""How the value of an option is called that has no name of its own, by its type."""
PAGE_PATH: Final = re.compile(r"\bdocs/[\w./-]+\.md\b")
CODE_BLOCK: Final = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add the pages and files from outside ``docs/`` that pages link to."""
    from mkdocs.structure.files import File

    sources = {name: (ROOT / name).read_text(encoding="utf-8") for name in ROOT_PAGES}
    for file in files.documentation_pages():
        sources[f"docs/{file.src_uri}"] = file.content_string
    wanted = {
        path
        for source, text in sources.items()
        for path in linked_paths(source, text)
        if place_in_site(path).startswith(f"{COPIES}/") and (ROOT / path).is_file()
    }
    for name, uri in ROOT_PAGES.items():
        files.append(File.generated(config, uri, content=sources[name]))
    for path in sorted(wanted):
        uri = place_in_site(path)
        files.append(File.generated(config, uri, content=(ROOT / path).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: "Page", **_: Any) -> str:
    """Fill in what is generated, and turn links that leave ``docs/`` to where the site has it."""
    uri = page.file.src_uri
    source = next((name for name, at in ROOT_PAGES.items() if at == uri), f"docs/{uri}")
    filled = MARK.sub(lambda found: GENERATED[found[1]](), markdown)
    return with_links_of_the_site(source, uri, filled)


def linked_paths(source: str, text: str) -> Iterator[str]:
    """The paths in the repository that a page links to."""
    for found in LINK.finditer(CODE_BLOCK.sub("", text)):
        yield from linked_paths(source, found[2])
        if (path := path_of(source, found[3])) is not None:
            yield path


def path_of(source: str, target: str) -> str | None:
    """The path in the repository that a page's link leads to; None: elsewhere, or to a heading."""
    path = target.partition("#")[0]
    if not path or ":" in path or path.startswith("/"):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path))


def place_in_site(path: str) -> str:
    """Where the site has a file of the repository."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    # With the ending .txt browsers show a file, whatever it is.
    return ROOT_PAGES.get(path) or f"{COPIES}/{path}.txt"


def with_links_of_the_site(source: str, uri: str, text: str) -> str:
    """A page's text with the links that the site needs; code blocks stay as they are."""

    def mended(found: re.Match[str]) -> str:
        picture, label, target = found[1], LINK.sub(mended, found[2]), found[3]
        path = path_of(source, target)
        if path is not None and (ROOT / path).is_dir():
            return label
        if path is not None and (ROOT / path).is_file():
            _, hash_, heading = target.partition("#")
            here = posixpath.dirname(uri) or "."
            target = posixpath.relpath(place_in_site(path), here) + hash_ + heading
        return f"{picture}[{label}]({target})"

    parts, end = [], 0
    for block in CODE_BLOCK.finditer(text):
        parts += [LINK.sub(mended, text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, LINK.sub(mended, text[end:])])


def commands_text() -> str:
    """Every command as its ``--help`` explains it, in the groups of ``troupe --help``."""
    commands = {command.name: command for command in _commands_of(typer.main.get_command(app))}
    group_of = {name: group for group, names in GROUPS.items() for name in names}
    lines: list[str] = []
    for group in GROUPS:
        lines += [f"## {group}", ""]
        for name, command in commands.items():
            if group_of.get(name, OTHERS) == group:
                lines += _command_lines(command, f"troupe {name}", 3)
    # Help texts name pages by their paths: here these are links, as from docs/reference/.
    return PAGE_PATH.sub(r"[\g<0>](../../\g<0>)", "\n".join(lines))


def settings_text() -> str:
    """Every environment variable of Troupe's own, with its meaning."""
    rows = [f"| `{name}` | {_cell(meaning)} |" for name, meaning in VARIABLES.items()]
    return "\n".join(["| variable | meaning |", "|---|---|", *rows])


GENERATED: Final[dict[str, Callable[[], str]]] = {
    "commands": commands_text,
    "settings": settings_text,
}
"""What is made for each ``generated`` comment."""


def _commands_of(group: Any) -> list[Any]:
    found = (group.commands[name] for name in sorted(group.commands))
    return [command for command in found if not command.hidden]


def _command_lines(command: Any, name: str, level: int) -> list[str]:
    """A command's heading, usage, help and parameters, and those of the commands below it."""
    context = typer.Context(command, info_name=name)
    below = _commands_of(command) if hasattr(command, "commands") else []
    heading = f"{'#' * min(level, 6)} `{name}`"
    lines = [heading, "", *_help_lines(command.help or ""), ""]
    if below:
        for one in below:
            lines += _command_lines(one, f"{name} {one.name}", level + 1)
        return lines
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one not in arguments and not one.hidden]
    shown = [name, *(_metavar(one) for one in arguments), *["[OPTIONS]"] * bool(options)]
    lines += ["```", " ".join(shown), "```", ""]
    rows = [(f"`{_metavar(one)}`", one) for one in arguments]
    rows += [(_option_names(one, context), one) for one in options]
    if rows:
        lines += ["| argument or option | meaning |", "|---|---|"]
        lines += [f"| {_cell(names)} | {_cell(_about(one))} |" for names, one in rows]
        lines.append("")
    return lines


def _metavar(argument: Any) -> str:
    given = argument.metavar or argument.name.upper()
    many = "…" if argument.nargs != 1 and not given.endswith("…") else ""
    return str(given if argument.required or given.startswith("[") else f"[{given}]") + many


def _option_names(option: Any, context: Any) -> str:
    kind = option.display_type(context).strip("[]<>")
    value = option.metavar or VALUES.get(kind, kind)
    names = sorted(option.opts, key=len, reverse=True)
    shown = [f"`{names[0]}`" if option.is_flag else f"`{names[0]} {value}`"]
    return ", ".join([*shown, *(f"`{name}`" for name in (*names[1:], *option.secondary_opts))])


def _about(parameter: Any) -> str:
    default = parameter.default
    told = isinstance(default, str | int | float) and not isinstance(default, bool)
    stated = f" Default: `{default}`." if told and str(default) else ""
    return (getattr(parameter, "help", None) or "").strip() + stated


def _help_lines(text: str) -> list[str]:
    """A help text as Markdown: what ``\\b`` begins keeps its lines, as in the terminal."""
    lines: list[str] = []
    for part in re.split(r"\n\s*\n", text.replace("\f", "")):
        kept = part.strip("\n")
        if kept.startswith("\b"):
            lines += ["```", *kept.removeprefix("\b").strip("\n").split("\n"), "```", ""]
        else:
            lines += [re.sub(r"(?<!`)(<[^>`]*>)", r"`\1`", kept.strip()), ""]
    return lines


def _cell(text: str) -> str:
    """A text for a table's cell, whose bars would end it unless they are code."""
    parts = " ".join(text.split()).split("`")
    parts[::2] = [part.replace("|", "\\|") for part in parts[::2]]
    return "`".join(parts)
