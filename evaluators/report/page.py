"""``write_report``: a run as one HTML file that needs nothing but itself."""

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

from actors.episodes.failures import reason_words
from actors.episodes.registry import environment_named
from actors.lifelong.formats import Baseline
from evaluators.judging import OVERALL, ReportSection
from evaluators.registry import judging_of
from evaluators.report import tables, taking
from evaluators.report.between import between
from evaluators.report.chains import chains
from evaluators.report.choosing import TRANSCRIPTS, choose
from evaluators.report.contrasts import contrasts
from evaluators.report.episode_pages import INDEX, write_pages
from evaluators.report.figures import FILTERS, usd, visible, whole
from evaluators.report.forks import forks
from evaluators.report.gather import Gathered, histories
from evaluators.report.headlines import headlines
from evaluators.report.outliers import spread
from evaluators.report.own_files import TEMPLATES, own_file, script_digest
from evaluators.report.paired import paired
from evaluators.report.partners import partners
from evaluators.report.scenarios import scenarios
from evaluators.report.several import gather_all
from evaluators.report.transcripts import Transcripts, rehearsal_of
from evaluators.run_tables import calls_table
from evaluators.summary import none_needed
from store.atomic_files import atomic_write
from store.log import EventStore
from store.score_arrays import ABSTAINED, FAILED

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
    appears whole or not at all. Raises ``store.lookup.UnknownId``, ``OSError``.
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
        "section_body": _section_body(section, store, gathered, chosen) if section else "",
        "left": len(left),
        "rest": f"{rest.name}/{INDEX}" if rest is not None else "",
    }
    page = jinja.get_template("page.html.j2")
    with atomic_write(path) as unfinished:
        page.stream(**values).dump(str(unfinished), encoding="utf-8")
    return path


def _jinja(gathered: Gathered, package: str = "") -> Environment:
    """``package``: where templates lie that are found after those of the report."""
    own = FileSystemLoader(TEMPLATES)
    jinja = Environment(
        loader=ChoiceLoader([own, PackageLoader(package, ".")]) if package else own,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
    )
    jinja.filters |= FILTERS
    jinja.globals |= {
        "mind_at": {mind.spec.name: place for place, mind in enumerate(gathered.minds)},
        "headlines": headlines(gathered),
    }
    return jinja


def _section_body(
    section: ReportSection, store: EventStore, gathered: Gathered, chosen: Collection[str]
) -> Markup:
    """What the run's environment adds."""
    jinja = _jinja(gathered, section.package)
    jinja.globals["in_page"] = frozenset(chosen)
    template = jinja.get_template(section.template)
    values = section.data(gathered, histories(store, gathered.episodes))
    return Markup(template.render(**values))  # noqa: S704 - filled in with everything escaped


def _values(
    gathered: Gathered,
    chosen: Mapping[str, str],
    section: ReportSection | None,
    people: Sequence[Baseline],
    forked: Mapping[str, Any],
) -> dict[str, Any]:
    """What the page's templates need but for the transcripts."""
    script = own_file("script.js")
    plan = gathered.planned.plan
    shown = headlines(gathered)
    scored = tables.scores(gathered)
    tested = contrasts(gathered)
    beside = {
        "paired": paired(gathered, shown),
        "partners": partners(gathered, shown),
        "scenario_tables": scenarios(gathered, shown, chosen),
        "spreads": spread(gathered, shown, chosen),
    }
    failures = _failures(gathered)
    there: list[tuple[object, str, str]] = [
        (forked["between"], "between", "Between runs"),
        (gathered.chains, "chains", "Chains"),
        (True, "means", "Scores"),
        (beside["paired"], "paired", "Differences"),
        (beside["partners"], "pairs", "Pairs"),
        (beside["scenario_tables"], "scenarios", "Scenarios"),
        (scored["tables"], "distributions", "Distributions"),
        (scored["comparisons"], "agreement", "Agreement"),
        (tested["families"], "tests", "Tests"),
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
        "banners": _banners(gathered),
        "tiles": _tiles(gathered),
        "parts": [(id_, title) for part, id_, title in there if part],
        "failures": failures,
        "takes": {
            "calls": taking.taken(calls_table(gathered.calls)),
            "failures": taking.taken(taking.failures(failures)),
            "minds": taking.taken(taking.minds(gathered)),
            "judges": taking.taken(taking.judges(gathered)),
        },
        "given_up": _given_up(gathered, chosen),
        "unpriced": sum(row.unpriced for row in gathered.calls),
        "tasks": len({planned.task for planned in gathered.planned.episodes}),
        "scenario_names": sorted(
            {
                (row.scenario, row.scenario_id or row.scenario)
                for row in gathered.episodes
                if row.scenario and row.id in chosen
            }
        ),
        "memory_of": {chain.id: chain.memory for chain in gathered.chains},
        "prompts": gathered.prompts,
        "settings": environment_named(plan.environment).describe(plan.settings),
        "section": section,
        "later": len(chosen) > UNFOLDED_UP_TO,
        "reasons": Counter(why for why in chosen.values() if why),
        "written": time.time_ns() // 1000,
        **beside,
        **forked,
        **scored,
        **tested,
        **chains(gathered, people),
    }


def _banners(gathered: Gathered) -> list[dict[str, str]]:
    """What a reader must not overlook."""
    banners = []
    rehearsal = rehearsal_of(gathered.judges)
    if rehearsal:
        names = ", ".join(judge.judged.label for judge in rehearsal)
        every = len(rehearsal) == len(gathered.judges)
        title = "Rehearsal scores: no language model judged this."
        banners.append(
            {
                "title": title if every else f"Some scores are rehearsal scores ({names}).",
                "text": "Rehearsal judges count words and cues. Their scores show that a run "
                "works; they are no findings about anybody's abilities."
                + ("" if every else f" No language model judged what {names} scored."),
            }
        )
    minds = [mind.spec.name for mind in gathered.minds if mind.spec.kind == "rehearsal"]
    if minds:
        banners.append(
            {
                "title": "Rehearsal minds: no language model played "
                + (f"{minds[0]}." if len(minds) == 1 else f"{', '.join(minds)}."),
                "text": "Rehearsal minds follow seeded rules and written phrases.",
            }
        )
    return banners


def _tiles(gathered: Gathered) -> list[dict[str, str]]:
    given = gathered.columns.where(
        ~gathered.columns.dimension.among(OVERALL) & ~none_needed(gathered.columns)
    )
    asked, scored = len(given), int(given.scored.sum())
    ended = sum(row.status == "ended" for row in gathered.episodes)
    failed = sum(row.status == "failed" for row in gathered.episodes)
    tokens_in = sum(row.input_tokens for row in gathered.calls)
    tokens_out = sum(row.output_tokens for row in gathered.calls)
    cost = sum(row.cost_usd for row in gathered.calls)
    unusable = gathered.failed_actions.total()
    unpriced = sum(row.unpriced for row in gathered.calls)
    answered = sum(row.answered for row in gathered.calls)
    spent = usd(cost) if answered > unpriced or not answered else "unknown"
    return [
        _tile("Episodes", ended, f"of {whole(len(gathered.episodes))} ended, {failed} given up"),
        _tile("Actions taken", gathered.actions, f"{whole(unusable)} failed"),
        _tile("Scores", scored, f"of {whole(asked)} asked for"),
        _tile(
            "Minds",
            len(gathered.minds),
            f"{len(gathered.judges)} judge{'' if len(gathered.judges) == 1 else 's'}",
        ),
        _tile("Tokens", tokens_in + tokens_out, f"{whole(tokens_out)} of them written"),
        {
            "name": "Cost",
            "value": spent,
            "note": f"{whole(unpriced)} answers unpriced" if unpriced else "all answers priced",
        },
    ]


def _tile(name: str, value: int, note: str) -> dict[str, str]:
    return {"name": name, "value": whole(value), "note": note}


def _failures(gathered: Gathered) -> list[dict[str, Any]]:
    """Counts with their denominators."""
    failed_actions = gathered.failed_actions
    rows = [
        _failure("Episodes given up", _failed(gathered.episodes), len(gathered.episodes),
                 "episodes"),
        _failure("Evaluations given up", len(gathered.given_up), gathered.evaluations,
                 "evaluations"),
        _failure("Actions without a usable answer", failed_actions.total(), gathered.actions,
                 "actions"),
    ]  # fmt: skip
    if gathered.chains:
        lost = sum(chain.memories_failed for chain in gathered.chains)
        steps = lost + sum(
            (row.recalled_at is not None) + (row.written_at is not None)
            for row in gathered.memories
        )
        rows += [
            _failure("Chains given up", _failed(gathered.chains), len(gathered.chains), "chains"),
            _failure("Memories given up", lost, steps, "times recalled or kept"),
        ]
    rows += [
        _failure(f"… of them: {reason_words(reason)}", count, gathered.actions, "actions")
        for reason, count in failed_actions.most_common()
    ]
    asked, failed = (sum(getattr(c, name) for c in gathered.calls) for name in ("asked", "failed"))
    rows.append(_failure("Model calls without an answer", failed, asked, "calls"))
    given = gathered.columns.where(
        ~gathered.columns.dimension.among(OVERALL) & ~none_needed(gathered.columns)
    )
    for judge in gathered.judges:
        mine = given.status[given.judge.among(judge.judged.hash)]
        for status, what in ((FAILED, "failed"), (ABSTAINED, "declined")):
            count = int((mine == status).sum())
            rows.append(
                _failure(f"Scores {what}: {judge.judged.label}", count, len(mine), "scores")
            )
    return rows


def _failure(what: str, count: int, of: int, unit: str) -> dict[str, Any]:
    return {"what": what, "count": count, "of": of, "unit": unit}


def _failed(rows: list[Any]) -> int:
    return sum(row.status == "failed" for row in rows)


def _given_up(gathered: Gathered, chosen: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Ids with the reason, and where in the page there is more; empty: nowhere."""
    episodes = [
        (row.id, row.end_reason or "no reason recorded", row.id if row.id in chosen else "")
        for row in gathered.episodes
        if row.status == "failed"
    ]
    episodes += [
        (row.id, row.reason, "chains") for row in gathered.chains if row.status == "failed"
    ]
    return episodes + [
        (
            row.id,
            f"{row.judge} of {row.episode}: {row.reason}",
            row.episode if row.episode in chosen else "",
        )
        for row in gathered.given_up
    ]
