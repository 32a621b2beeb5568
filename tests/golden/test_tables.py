"""How a model is asked at a table, and to write what is played there, whole."""

from actors.tabletop import item_writer
from actors.tabletop.item_writer import CHARACTER, KNOWLEDGE, ItemWriter
from actors.tabletop.prompt_writer import PROMPTS, TEMPLATE
from actors.tabletop.setup import AskLearned, Settings
from actors.tabletop.sight import SIGHT
from actors.templates import Templates
from events.episode import TurnOpened
from tests import golden
from tests.actors.tabletop.test_session import CATALOG, played, session

TEMPLATES = Templates("actors.tabletop.prompts")
SHORT = Settings(turns=4, baseline=True)


def prompts_of(task: str, temper: str, seat: int) -> dict[str, str]:
    """What a seat is asked in its last move and in the end."""
    setup = session(task, SHORT)
    events, _ = played(setup, temper)
    writer = PROMPTS.writer(SIGHT.view(events[:1], seat))
    words: dict[str, str] = {}
    for place, event in enumerate(events):
        for asked in event.asked if isinstance(event, TurnOpened) else ():
            if asked.seat == seat:
                seen = list(SIGHT.view(events[:place], seat).noticed)
                prompt = writer.prompt(asked.question, seen, event.turn)
                question = asked.question
                what = question.moment if isinstance(question, AskLearned) else "a move"
                words = {"system": prompt.system, **words, f"user, {what}": prompt.user}
    return words


def test_a_player_is_asked_in_these(monkeypatch) -> None:
    # The words of the catalog are none of the template's.
    monkeypatch.setattr("actors.tabletop.render.situation", lambda _: "The taproom.\nIt rains.")
    version = TEMPLATES.version(TEMPLATE)
    golden.check("tables/table-1-player", version, prompts_of("exchange-1", "open", 1))
    longer = prompts_of("intention-1", "plain", 0)
    golden.check("tables/table-1-intention", version, longer)


async def test_a_model_writes_characters_and_knowledge_by_these(monkeypatch) -> None:
    asked: dict[str, str] = {}

    class Asking:
        """Keeps what is asked."""

        def __init__(self, version: str, *_: object) -> None:
            self.version = version

        async def ask(self, _turn: int, messages, *_: object) -> None:
            asked.update(version=self.version, system=messages[0].content, user=messages[1].content)

    monkeypatch.setattr(item_writer, "Asking", Asking)
    writer = ItemWriter(None, None, None)  # type: ignore[arg-type]
    await writer.character(0, CATALOG.characters[0], ())
    golden.check("tables/character-1", asked.pop("version"), asked)
    asked.clear()
    await writer.sheet(0, 5, ())
    golden.check("tables/knowledge-1", asked.pop("version"), asked)


def test_every_template_of_tables_has_a_golden_prompt() -> None:
    assert {*TEMPLATES.names()} == golden.templates_of("tables") == {TEMPLATE, CHARACTER, KNOWLEDGE}
