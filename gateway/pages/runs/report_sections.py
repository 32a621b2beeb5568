"""What an environment adds to the report of its runs, as a page that holds no inline style."""

import re
from typing import Final

import msgspec
from markupsafe import Markup

from evaluators.registry import judging_of
from evaluators.report.page import section_body
from gateway.http.problems import Problem
from gateway.pages.runs.run_pages import RunPages
from gateway.services.results.result_cache import CachedResult

_TAG: Final = re.compile(r"<[A-Za-z][^<>]*>")
_STYLES: Final = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_STYLE: Final = re.compile(r'\sstyle="([^"]*)"')
_CLASS: Final = re.compile(r'\sclass="([^"]*)"')
_TRANSCRIPT: Final = re.compile(r'href="#([^"]+)-top"')


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a run's report."""

    title: str
    body: Markup
    css: str
    """The rules that were in it."""


def section_of(desk: RunPages, run: str) -> CachedResult[Section]:
    """Of a run, its id in full. Raises ``Problem`` where its environment adds nothing. Blocking."""
    return desk.resting.get(run, "section", lambda: _made(desk, run))


def _made(desk: RunPages, run: str) -> Section:
    gathered = desk.findings(run).value.gathered
    environment = gathered.planned.plan.environment
    section = judging_of(environment).report
    if section is None:
        raise Problem(404, "no_section", f"the environment {environment!r} adds nothing to a run")
    every = [row.id for row in gathered.episodes]
    body, css = without_styles(section_body(section, desk.store, gathered, every))
    return Section(title=section.title, body=body, css=css)


def without_styles(html: Markup) -> tuple[Markup, str]:
    """The same with classes in the place of styles, and links to transcripts as those of this site;
    and the rules. ``html``: out of a template that escapes, so that no text looks like a tag."""
    rules = [found[1] for found in _STYLES.finditer(html)]
    names: dict[str, str] = {}

    def classed(tag: re.Match[str]) -> str:
        style = _STYLE.search(tag[0])
        if style is None:
            return tag[0]
        name = names.setdefault(style[1], f"own-{len(names)}")
        text = _STYLE.sub("", tag[0])
        if _CLASS.search(text):
            return _CLASS.sub(lambda found: f' class="{found[1]} {name}"', text, count=1)
        return re.sub(r"^<[\w-]+", lambda start: f'{start[0]} class="{name}"', text)

    body = _TAG.sub(classed, _STYLES.sub("", html))
    body = _TRANSCRIPT.sub(r'href="/episodes/\1"', body)
    rules += [f".{name}{{{style}}}" for style, name in names.items()]
    return Markup(body), "\n".join(rules)  # noqa: S704 - what was markup before
