"""Writing runs and episodes to files."""

from pathlib import Path

from actors.social.formats.episode_log_out import Judged, episode_log, to_line
from events.codec import event_of
from events.evaluation import EvaluationStarted, ScoreAbstained, Scored, ScoreFailed
from events.ids import RUN
from events.subjects import stream_name
from gateway.errors import BadArgument
from store import queries
from store.history import read_history
from store.jsonl import export_episode, export_run
from store.log import EventStore
from store.parquet import export_parquet
from store.whole_files import replacing


def export_to(store: EventStore, what: str, form: str, out: Path | None) -> str:
    """Export a run or an episode; a sentence about what was written."""
    is_run = what.startswith(RUN)
    id_ = queries.run(store, what).id if is_run else queries.episode(store, what).id
    match form:
        case "jsonl":
            path = out or Path(f"{id_}.jsonl")
            export = export_run if is_run else export_episode
            return f"{export(store, id_, path)} events written to {path}"
        case "parquet":
            if not is_run:
                raise BadArgument("--format", form, "tables are made of a run, not of one episode")
            folder = out or Path(f"{id_}-tables")
            written = export_parquet(store, id_, folder)
            return f"Tables written: {', '.join(str(path) for path in written.values())}"
        case _:
            path = out or Path(f"{id_}-episodelog.jsonl")
            ids = [row.id for row in queries.episodes(store, run=id_)] if is_run else [id_]
            return _export_logs(store, ids, path)


def _export_logs(store: EventStore, episodes: list[str], path: Path) -> str:
    lines, left_out = [], 0
    for episode in episodes:
        row = queries.episode(store, episode)
        if row.status != "ended":
            left_out += 1
            continue
        history = [numbered.event for numbered in read_history(store, episode)]
        judged = _judged(store, episode) or [None]
        lines += [to_line(episode_log(history, one)) for one in judged]
    with replacing(path) as unfinished:
        unfinished.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    rest = f"; {left_out} that have not ended are left out" if left_out else ""
    return f"{len(lines)} EpisodeLog lines written to {path}{rest}"


def _judged(store: EventStore, episode: str) -> list[Judged | None]:
    """Every judge's scores of an episode; an EpisodeLog has room for one judge's."""
    found: list[Judged | None] = []
    for row in queries.evaluations(store, episode=episode):
        if row.status != "ended":
            continue
        events = [event_of(e) for e in store.read(stream_name("evaluation", row.id))]
        started = next(event for event in events if isinstance(event, EvaluationStarted))
        scores = tuple(e for e in events if isinstance(e, Scored | ScoreFailed | ScoreAbstained))
        found.append(Judged(judge=started.judge, scores=scores))
    return found
