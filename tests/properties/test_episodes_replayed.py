"""A hundred episodes over real NATS and SQLite: what is replayed is what was."""

from pathlib import Path

from actors.episodes.rules.decide import INITIAL, EpisodeState, evolve
from actors.runtime.embedded_nats.server import EmbeddedNats
from store.open_store import open_store
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.support.runs import carry_out_here, plan, record, settings_of
from tests.support.store_checks import check_store


class Witness:
    """Keeps every state that episodes came into, as it was then."""

    def __init__(self) -> None:
        self.states: dict[str, list[EpisodeState]] = {}

    def __call__(self, episode: str, state: EpisodeState) -> None:
        self.states.setdefault(episode, []).append(state)


async def test_every_prefix_of_every_episode_is_replayed_to_the_state_that_was_live(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    witness = Witness()
    for order in ("round_robin", "simultaneous", "random"):
        # Of three seats and of two, all pairings of tempers: 34 episodes or more of each order.
        text = plan(tasks=9, rules=f'order = "{order}"')
        run = record(store, tmp_path, text)
        settings = settings_of(tmp_path, store, nats_server, space)
        progress = await carry_out_here(settings, store, run, witness=witness)
        assert progress.done
        check_store(store, run)
    rows = queries.episodes(store)
    assert len(rows) >= 100
    prefixes = 0
    for row in rows:
        live = witness.states[row.id]
        state = INITIAL
        history = read_history(store, row.id)
        for numbered, was in zip(history, live, strict=True):
            state = evolve(state, numbered.event)
            assert state == was, f"{row.id} after event {numbered.number}"
            prefixes += 1
        assert history == read_history(store, row.id, len(history) - 1)
    assert prefixes > 1000
    store.close()
