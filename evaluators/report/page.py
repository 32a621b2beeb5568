"""``write_report``: a run as one HTML file that needs nothing but itself."""

import base64
import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined
from markupsafe import Markup

from actors.episodes.registry import environment_named
from actors.lifelong.formats import Baseline
from evaluators.judging import ReportSection
from evaluators.registry import judging_of
from evaluators.report import tables
from evaluators.report.chains import chains
from evaluators.report.contrasts import contrasts
from evaluators.report.figures import FILTERS, usd, whole
from evaluators.report.gather import (
    EpisodeTranscript,
    Gathered,
    gather,
    histories,
    transcripts,
)
from evaluators.report.transcripts import Transcripts, rehearsal_of
from store.log import EventStore

_TEMPLATES = Path(__file__).with_name("templates")
UNFOLDED_UP_TO = 200
"""Runs of up to so many episodes have their transcripts in the page as they are, for readers
without scripts; in longer ones they stay text until they are opened, or no browser would cope."""


def write_report(
    store: EventStore, run_id: str, path: Path, people: Sequence[Baseline] = ()
) -> Path:
    """Write the report of a run (its id or the beginning of it) to ``path``; answers ``path``.
    ``people``: what people got in such chains, drawn beside the curves.

    Blocking, and heavy on the processor: not for the event loop. The file appears whole or not at
    all. Raises ``store.lookup.UnknownId``, ``OSError``.
    """
    gathered = gather(store, run_id)
    section = judging_of(gathered.planned.plan.environment).report
    jinja = _jinja()
    shown = Transcripts(gathered, jinja)
    items, counts = [], _Counts()
    for transcript in transcripts(store, gathered.episodes):
        counts.take(transcript)
        items.append(shown.item(transcript))
    page = jinja.get_template("page.html.j2")
    values = _values(gathered, counts, section, people) | {
        "episodes": items,
        "section_body": _section_body(section, store, gathered) if section else "",
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        page.stream(**values).dump(str(unfinished), encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path


class _Counts:
    """Actions and their failures, over all episodes."""

    def __init__(self) -> None:
        self.actions = 0
        self.failed: Counter[str] = Counter()

    def take(self, transcript: EpisodeTranscript) -> None:
        self.actions += transcript.actions
        self.failed += transcript.failed


def _jinja(package: str = "") -> Environment:
    """``package``: where templates lie that are found after those of the report."""
    own = FileSystemLoader(_TEMPLATES)
    jinja = Environment(
        loader=ChoiceLoader([own, PackageLoader(package, ".")]) if package else own,
        autoescape=True,
        undefined=StrictUndefined,
    )
    jinja.filters |= FILTERS
    return jinja


def _section_body(section: ReportSection, store: EventStore, gathered: Gathered) -> Markup:
    """What the run's environment adds."""
    template = _jinja(section.package).get_template(section.template)
    values = section.data(gathered, histories(store, gathered.episodes))
    return Markup(template.render(**values))  # noqa: S704 - filled in with everything escaped


def _values(
    gathered: Gathered,
    counts: _Counts,
    section: ReportSection | None,
    people: Sequence[Baseline],
) -> dict[str, Any]:
    """What the page's templates need but for the transcripts."""
    script = (_TEMPLATES / "script.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    plan = gathered.planned.plan
    scored = tables.scores(gathered)
    tested = contrasts(gathered)
    parts = [("means", "Scores"), ("pairs", "Pairs"), ("distributions", "Distributions")]
    if not scored["tables"]:
        parts = parts[:1]
    if scored["comparisons"]:
        parts.append(("agreement", "Agreement"))
    if tested["families"]:
        parts.append(("tests", "Tests"))
    if gathered.chains:
        parts.append(("chains", "Chains"))
    if section:
        parts.append((section.id, section.title))
    parts += [("cost", "Cost"), ("failures", "Failures"), ("setup", "What was run")]
    parts.append(("transcripts", "Transcripts"))
    return {
        "g": gathered,
        # Both are files of ours: nothing that was simulated is in them.
        "style": Markup((_TEMPLATES / "style.css").read_text(encoding="utf-8")),  # noqa: S704
        "script": Markup(script),  # noqa: S704
        "script_digest": f"sha256-{digest}",
        "banners": _banners(gathered),
        "tiles": _tiles(gathered, counts),
        "parts": parts,
        "failures": _failures(gathered, counts),
        "given_up": _given_up(gathered),
        "unpriced": sum(row.unpriced for row in gathered.calls),
        "tasks": len({planned.task for planned in gathered.planned.episodes}),
        "scenarios": sorted({row.scenario for row in gathered.episodes if row.scenario}),
        "prompts": gathered.prompts,
        "settings": environment_named(plan.environment).describe(plan.settings),
        "section": section,
        "later": len(gathered.episodes) > UNFOLDED_UP_TO,
        "written": time.time_ns() // 1000,
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


def _tiles(gathered: Gathered, counts: _Counts) -> list[dict[str, str]]:
    asked = len(gathered.scores)
    scored = sum(row.status == "scored" for row in gathered.scores)
    ended = sum(row.status == "ended" for row in gathered.episodes)
    failed = sum(row.status == "failed" for row in gathered.episodes)
    tokens_in = sum(row.input_tokens for row in gathered.calls)
    tokens_out = sum(row.output_tokens for row in gathered.calls)
    cost = sum(row.cost_usd for row in gathered.calls)
    unpriced = sum(row.unpriced for row in gathered.calls)
    answered = sum(row.answered for row in gathered.calls)
    spent = usd(cost) if answered > unpriced or not answered else "unknown"
    return [
        _tile("Episodes", ended, f"of {whole(len(gathered.episodes))} ended, {failed} given up"),
        _tile("Actions taken", counts.actions, f"{whole(counts.failed.total())} failed"),
        _tile("Scores", scored, f"of {whole(asked)} asked for"),
        _tile("Minds", len(gathered.minds), f"{len(gathered.judges)} judges"),
        _tile("Tokens", tokens_in + tokens_out, f"{whole(tokens_out)} of them written"),
        {
            "name": "Cost",
            "value": spent,
            "note": f"{whole(unpriced)} answers unpriced" if unpriced else "all answers priced",
        },
    ]


def _tile(name: str, value: int, note: str) -> dict[str, str]:
    return {"name": name, "value": whole(value), "note": note}


def _failures(gathered: Gathered, counts: _Counts) -> list[dict[str, Any]]:
    """Counts with their denominators."""
    rows = [
        _failure("Episodes given up", _failed(gathered.episodes), len(gathered.episodes),
                 "episodes"),
        _failure("Evaluations given up", _failed(gathered.evaluations), len(gathered.evaluations),
                 "evaluations"),
        _failure("Actions without a usable answer", counts.failed.total(), counts.actions,
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
    reasons = {
        "unreadable": "of them unreadable answers",
        "model_error": "of them errors of a model",
        "timeout": "of them too late",
        "mind_error": "of them errors of a mind",
    }
    rows += [
        _failure(f"… {what}", counts.failed[reason], counts.actions, "actions")
        for reason, what in reasons.items()
        if counts.failed[reason]
    ]
    asked, failed = (sum(getattr(c, name) for c in gathered.calls) for name in ("asked", "failed"))
    rows.append(_failure("Model calls without an answer", failed, asked, "calls"))
    for judge in gathered.judges:
        mine = [score for score in gathered.scores if score.judge_hash == judge.judged.hash]
        for status, what in (("failed", "failed"), ("abstained", "declined")):
            count = sum(score.status == status for score in mine)
            rows.append(
                _failure(f"Scores {what}: {judge.judged.label}", count, len(mine), "scores")
            )
    return rows


def _failure(what: str, count: int, of: int, unit: str) -> dict[str, Any]:
    return {"what": what, "count": count, "of": of, "unit": unit}


def _failed(rows: list[Any]) -> int:
    return sum(row.status == "failed" for row in rows)


def _given_up(gathered: Gathered) -> list[tuple[str, str, str]]:
    episodes = [
        (row.id, row.end_reason or "no reason recorded", row.id)
        for row in gathered.episodes
        if row.status == "failed"
    ]
    episodes += [
        (row.id, row.reason, "chains") for row in gathered.chains if row.status == "failed"
    ]
    return episodes + [
        (row.id, f"{row.judge} of {row.episode}: {row.reason}", row.episode)
        for row in gathered.evaluations
        if row.status == "failed"
    ]
