"""What an interviewed character knows: its seat's own account of the episode."""

from actors.episodes.port.words import Account
from actors.episodes.registry import game_of
from actors.episodes.views.inconsistent_history import telling
from actors.lifelong.memory.recall import memory_text
from actors.templates import Templates
from actors.text.quotes import nonce_for, texts_in
from events.episode import EpisodeStarted
from events.interview import InterviewBegan
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history

TEMPLATE = "interview-1"
templates = Templates("actors.interviews.prompts")


def account_of(store: EventStore, begun: InterviewBegan) -> Account:
    """Blocking. Raises ``OddHistory`` and what reading raises."""
    history = [numbered.event for numbered in read_history(store, begun.episode, begun.at)]
    started = next(event for event in history if isinstance(event, EpisodeStarted))
    memory = ""
    if started.chain:
        memory = memory_text(store, started.chain, begun.seat, started.index)
    game = game_of(started)
    with telling(started.environment):
        return game.words.account(game.sight.view(history, begun.seat, memory))


def system_prompt(account: Account, seat: int) -> tuple[str, str]:
    """What a model is told that answers for a seat, and the template's name and fingerprint."""
    own = account.portraits[seat]
    words: dict[str, object] = {
        "name": own.name,
        "facts": own.facts,
        "goal": own.goal,
        "secret": own.secret,
        "situation": account.situation,
        "others": [
            {"name": other.name, "facts": other.facts}
            for other in account.portraits
            if other.seat != seat
        ],
        "relationships": account.relationships,
        "notes": account.notes,
        "lines": [(entry.turn, entry.line) for entry in account.entries],
        "ending": account.ending,
    }
    words["nonce"] = nonce_for(*texts_in(list(words.values())))
    return templates.block(TEMPLATE, "system", words), templates.version(TEMPLATE)
