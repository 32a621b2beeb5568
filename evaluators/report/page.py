"""``write_report``: a run as one HTML file that needs nothing but itself."""

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from actors.lifelong.formats import Baseline
from evaluators.plugin import ReportSection
from evaluators.registry import judging_of
from evaluators.report.assets import own_file, script_digest
from evaluators.report.data.combined_runs import gather_all
from evaluators.report.data.headlines import headlines
from evaluators.report.data.run_data import RunData, histories
from evaluators.report.page_templates import templates
from evaluators.report.page_values import accounts, findings
from evaluators.report.sections import score_tables
from evaluators.report.sections.forks import forks
from evaluators.report.sections.run_differences import between
from evaluators.report.select_transcripts import TRANSCRIPTS, choose
from evaluators.report.transcripts import EpisodeEntry, Transcripts
from store.files.atomic_files import atomic_write
from store.log.event_store import EventStore

UNFOLDED_UP_TO = 200
"""Runs of up to so many episodes have their transcripts in the page as they are, for readers
without scripts; in longer ones they stay text until they are opened, or no browser would cope."""


def write_report(
    store: EventStore,
    run_id: str | Sequence[str],
    path: Path,
    people: Sequence[Baseline] = (),
    *,
    most: int = TRANSCRIPTS,
    rest: Path | None = None,
) -> Path:
    """Write the report of a run (its id or the beginning of it) to ``path``; answers ``path``. Of
    several, the earlier first, one page is written that compares them. ``people``: what people got
    in such chains, drawn beside the curves.

    ``most``: transcripts in the page, chosen where there are more; ``rest``: a folder for the
    others, a page each. Blocking, and heavy on the processor: not for the event loop. The file
    appears whole or not at all. Raises ``store.id_lookup.UnknownId``, ``OSError``.
    """
    gathered = gather_all(store, [run_id] if isinstance(run_id, str) else run_id)
    section = judging_of(gathered.planned.plan.environment).report
    jinja = _jinja(gathered)
    shown = Transcripts(store, gathered, jinja)
    chosen = choose(gathered, most)
    left = [row for row in gathered.episodes if row.id not in chosen]
    if rest is not None and left:
        write_pages(shown.items(left, {}), gathered, rest, jinja, own_file("style.css"))
    items = shown.items([row for row in gathered.episodes if row.id in chosen], chosen)
    runs = between(store, gathered.run.id.split(), headlines(gathered))
    beside = {**forks(store, gathered), **runs}
    values = _values(gathered, chosen, section, people, beside) | {
        "episodes": list(items),
        "section_body": section_body(section, store, gathered, chosen) if section else "",
        "left": len(left),
        "rest": f"{rest.name}/{INDEX}" if rest is not None else "",
    }
    page = jinja.get_template("page.html.j2")
    with atomic_write(path) as unfinished:
        page.stream(**values).dump(str(unfinished), encoding="utf-8")
    return path


def _jinja(gathered: RunData, package: str = "") -> Environment:
    """``package``: where templates lie that are found after those of the report."""
    return templates(
        *([PackageLoader(package, ".")] if package else ()),
        mind_at={mind.spec.name: place for place, mind in enumerate(gathered.minds)},
        headlines=headlines(gathered),
    )


def section_body(
    section: ReportSection, store: EventStore, gathered: RunData, chosen: Collection[str]
) -> Markup:
    """What the run's environment adds."""
    jinja = _jinja(gathered, section.package)
    jinja.globals["in_page"] = frozenset(chosen)
    template = jinja.get_template(section.template)
    values = section.data(gathered, histories(store, gathered.episodes))
    return Markup(template.render(**values))  # noqa: S704 - filled in with everything escaped


def _values(
    gathered: RunData,
    chosen: Mapping[str, str],
    section: ReportSection | None,
    people: Sequence[Baseline],
    forked: Mapping[str, object],
) -> dict[str, object]:
    """What the page's templates need but for the transcripts."""
    script = own_file("script.js")
    found = findings(gathered, chosen, people) | {"comparisons": score_tables.comparisons(gathered)}
    there: list[tuple[object, str, str]] = [
        (forked["between"], "between", "Between runs"),
        (gathered.chains, "chains", "Chains"),
        (True, "means", "Scores"),
        (found["paired"], "paired", "Differences"),
        (found["partners"], "pairs", "Pairs"),
        (found["scenario_tables"], "scenarios", "Scenarios"),
        (found["tables"], "distributions", "Distributions"),
        (found["comparisons"], "agreement", "Agreement"),
        (found["families"], "tests", "Tests"),
        (section, section.id if section else "", section.title if section else ""),
        (forked["forks"], "forks", "Forks"),
        (True, "cost", "Cost"),
        (True, "failures", "Failures"),
        (True, "setup", "What was run"),
        (True, "transcripts", "Transcripts"),
    ]
    return {
        "g": gathered,
        "style": own_file("style.css"),
        "script": script,
        "script_digest": script_digest(script),
        "parts": [(id_, title) for part, id_, title in there if part],
        "scenario_names": sorted(
            {
                (row.scenario, row.scenario_id or row.scenario)
                for row in gathered.episodes
                if row.scenario and row.id in chosen
            }
        ),
        "section": section,
        "later": len(chosen) > UNFOLDED_UP_TO,
        "reasons": Counter(why for why in chosen.values() if why),
        "written": time.time_ns() // 1000,
        **forked,
        **accounts(gathered, chosen),
        **found,
    }


INDEX = "index.html"
"""The page that lists the others."""


def write_pages(
    items: Iterable[EpisodeEntry],
    gathered: RunData,
    folder: Path,
    jinja: Environment,
    style: Markup,
) -> None:
    """Write a page for each item and one that lists them. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    page = jinja.get_template("episode.html.j2")
    listed = []
    for item in items:
        text = page.render(item=item, g=gathered, style=style)
        with atomic_write(folder / f"{item.row.id}.html") as file:
            file.write_text(text, encoding="utf-8")
        listed.append(msgspec.structs.replace(item, body=Markup()))
    index = jinja.get_template("episodes.html.j2")
    with atomic_write(folder / INDEX) as file:
        index.stream(items=listed, g=gathered, style=style).dump(str(file), encoding="utf-8")
