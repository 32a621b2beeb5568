"""What callers give: plans, minds, judges and places, as the use cases take them."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from actors.runs.plan.environment_section import DEFAULT_ENVIRONMENT
from actors.runs.plan.mind_entries import MindEntry, mind_problems, mind_specs
from actors.toml_file import BadFile, Table
from actors.toml_values import NotInToml, table_text
from evaluators.judges.judge_file import judge_from, judge_named
from events.evaluation import JudgeSpec
from events.ids import RUN, new_id
from events.minds import MindSpec
from gateway.errors import GatewayError
from gateway.notebook.analysis_store import Store, address_of
from gateway.notebook.episodes import Episode
from gateway.notebook.runs import Run
from gateway.services.episodes.plan_episode import Sitting, section_of
from gateway.services.runs.plan_run import Prepared, prepare, prepare_words
from gateway.settings import Settings, read_settings
from store.log.event_store import EventStore
from troupe.models import Model

Plan = str | Path | Mapping[str, Any]
"""A plan file, its text, or what it would say; minds and judges in it may be ``Model``s."""
Mind = str | Model | Mapping[str, Any]
"""``rehearsal:TEMPER``, ``recorded:EPISODE``, ``remote``, ``person``, a model's name, a ``Model``,
or what a plan's section of a mind would say."""
Judge = str | Path | Model | Mapping[str, Any]
"""A built-in judge, a judge file, a ``Model``, or what a judge file would say."""
Where = str | Path | Store | None
"""A data folder, a database's address, an open store, or None: what the ``TROUPE_…`` variables
say."""


def settings_at(where: Where) -> Settings:
    """The settings of a process that works there."""
    if where is None:
        return read_settings()
    address = where.address if isinstance(where, Store) else address_of(where)
    environ = {**os.environ, "TROUPE_DATABASE_URL": address}
    url = make_url(address)
    if url.get_backend_name() == "sqlite" and url.database:
        environ["TROUPE_DATA_DIR"] = str(Path(url.database).parent)
    return read_settings(environ)


def id_of(what: object) -> str:
    """The id, or how it begins. Raises ``GatewayError`` for what is no run, episode or id."""
    if isinstance(what, Run | Episode):
        return what.id
    if isinstance(what, str):
        return what
    raise GatewayError(f"give a Run, an Episode or an id, not a {type(what).__name__}")


def store_of(what: str | Run | Episode, where: Where) -> Where:
    """Where something is: a run and an episode know it."""
    return what.store if where is None and isinstance(what, Run | Episode) else where


def planned(store: EventStore, plan: object) -> Prepared:
    """A plan, ready to be carried out. Raises ``BadFile``, and ``GatewayError`` for what is no
    plan."""
    run = new_id(RUN)
    match plan:
        case Path():
            return prepare(store, plan.expanduser())
        case str() if "\n" not in plan and "=" not in plan:
            return prepare(store, Path(plan).expanduser())
        case str():
            return prepare_words(store, plan, judge_named, run, Path())
    if not isinstance(plan, Mapping):
        kind = type(plan).__name__
        raise GatewayError(f"a plan is a file's path, its text or a dictionary, not a {kind}")
    judges: dict[str, JudgeSpec] = {}

    def judge(name: str) -> JudgeSpec:
        return judges.get(name) or judge_named(name)

    return prepare_words(store, text_of(store, plan, judges), judge, run, Path())


def text_of(store: EventStore, plan: Mapping[str, Any], judges: dict[str, JudgeSpec]) -> str:
    """The file that says what a plan does. Those of its judges that are no names are put among
    ``judges``, under the names by which the text calls them. Raises ``BadFile``,
    ``BadArgument``."""
    environment = str(plan.get("environment") or DEFAULT_ENVIRONMENT)
    minds, section = plan.get("minds"), plan.get("judges")
    written = dict(plan)
    if isinstance(minds, Mapping):
        written["minds"] = {
            name: section_of(store, environment, mind_given(mind), f"minds.{name}")[1]
            for name, mind in minds.items()
        }
    if isinstance(section, Mapping) and isinstance(section.get("use"), Sequence):
        use = section["use"] if not isinstance(section["use"], str) else [section["use"]]
        written["judges"] = {**section, "use": [_named(one, judges) for one in use]}
    try:
        return table_text(written)
    except NotInToml as error:
        kind = type(error.value).__name__
        raise BadFile("plan", error.where, f"no setting is a {kind}; leave it out") from error


def sitting(minds: Mind | Sequence[Mind]) -> list[Sitting]:
    """One mind for all seats, or one a seat, as plans take them."""
    several = [minds] if isinstance(minds, str | Model | Mapping) else minds
    return list(map(mind_given, several))


def mind_given(mind: Mind) -> Sitting:
    """A mind in words, or its section in a plan."""
    return mind.mind if isinstance(mind, Model) else mind


def judge_of(judge: object) -> JudgeSpec:
    """The judge that is meant. Raises ``UnknownJudge``, ``NoJudgeFile``, ``BadFile``."""
    match judge:
        case Model():
            return judge_from(judge.judge, "judge")
        case str() | Path():
            return judge_named(str(judge))
    if not isinstance(judge, Mapping):
        kind = type(judge).__name__
        raise GatewayError(f"a judge is a name, a file, a Model or a dictionary, not a {kind}")
    return judge_from(judge, "judge")


def seated(minds: Mapping[int, Mind]) -> tuple[list[str], dict[int, MindSpec]]:
    """Minds by seat, from 1: those in words as ``N=MIND``, and the others by seat from 0."""
    words = [f"{seat}={mind}" for seat, mind in minds.items() if isinstance(mind, str)]
    others = {
        seat - 1: _spec(f"{seat}", mind)
        for seat, mind in minds.items()
        if not isinstance(mind, str)
    }
    return words, others


def _spec(seat: str, mind: Model | Mapping[str, Any]) -> MindSpec:
    section = mind.mind if isinstance(mind, Model) else mind
    name = str(section.get("model") or section.get("kind"))
    entries = {name: Table(f"seat {seat}", "", dict(section)).shaped(MindEntry)}
    for field, why in mind_problems(name, entries):
        raise BadFile(f"seat {seat}", field.rpartition(".")[2], why)
    return mind_specs(entries)[0]


def _named(judge: Judge, judges: dict[str, JudgeSpec]) -> str:
    if isinstance(judge, str | Path):
        return str(judge)
    found = judge_of(judge)
    if judges.setdefault(found.name, found) != found:
        why = (
            f"two judges are called {found.name!r}; write one as a dictionary with a name of its "
            'own: {"name": "other", "model": …}'
        )
        raise BadFile("plan", "judges.use", why)
    return found.name
