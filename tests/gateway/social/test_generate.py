"""``troupe sotopia generate`` and ``review``: from what a model writes to a catalog that is
played."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from actors.models.errors import ModelError
from actors.models.port import ModelReply, ModelRequest
from actors.models.registry import Models
from actors.social.catalog_items import Catalog
from events.generation import ItemGenerated, ItemReviewed
from events.serialization.codec import event_of
from gateway.http import route_modules
from gateway.http.app import make_app
from gateway.http.context import Gateway
from gateway.http.rate_limits import RateLimits
from gateway.pages import generated
from gateway.process.process_limits import Tuning
from gateway.services.catalogs.generated_items import Generations
from gateway.services.catalogs.read_catalog import load
from tests.actors.social.sources.test_sources import BARGAIN, FRIENDS, lines
from tests.gateway.command import Desk
from tests.gateway.served import BROWSER, gateway_over, signed_in
from tests.gateway.test_refusals import refused

GENERATE = ("sotopia", "generate")
BY_MODEL = ("--model", "test/writer", "--no-probe")
VIGNETTES = "".join(
    f'[[vignette]]\nid = "v{number}"\ntext = "a matter of number {number} between neighbours"\n'
    for number in range(6)
)


def answer(system: str, user: str) -> dict[str, Any]:
    """What a willing model writes, told apart by what it is asked for."""
    if '{"secret"' in user:
        return {"secret": "Two winters ago a letter was opened that was meant for next door."}
    if '{"public_info"' in user:
        return {
            "public_info": "Rents the rooms above the dry cleaner and waters the plants at night.",
            "personality": "Says yes at once and thinks about it on the stairs, then keeps it.",
        }
    names = [line.strip()[6:] for line in user.splitlines() if line.startswith("  name: ")]
    if '{"story"' in user:
        return {
            "story": f"{names[0]} and {names[1]} once shared a lift for nine hours and laughed."
        }
    if '"second"' in user:
        return {"first": "fits", "second": "fits", "why": "Everything fits both of them."}
    if "put together by a program" in user:
        texts = user.splitlines()
        told = {line.partition(": ")[0]: line.partition(": ")[2] for line in texts if ": " in line}
        goals = [f"Now then: {told[f'goal of person {seat}']}" for seat in (1, 2)]
        return {"context": f"Listen: {told['context']}", "goals": goals}
    number = user.partition("a matter of number ")[2][:1]
    return {
        "codename": f"Matter {number}",
        "context": f"Two neighbours meet at the bins on evening number {number} of the strike.",
        "goals": [f"You want the bins moved by {number}.", "You want them to stay where they are."],
        "relationships": ["stranger", "friend"],
        "ages": [[18, 80], [18, 80]],
        "occupations": ["", ""],
    }


class Willing:
    """A model that does what it is asked, and keeps what that was."""

    def __init__(self) -> None:
        self.asked: list[ModelRequest] = []
        self.answer: Callable[[str, str], Any] = answer

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(request)
        said = self.answer(request.messages[0].content, request.messages[1].content)
        if isinstance(said, ModelError):
            raise said
        text = said if isinstance(said, str) else json.dumps(said)
        return ModelReply(text=text, input_tokens=100, output_tokens=50, cost_usd=0.5)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Willing:
    found = Willing()
    made = Models({"litellm": lambda _: found})
    monkeypatch.setattr("gateway.social.sotopia.generate_items.models_here", lambda _: made)
    return found


def events_of(desk: Desk, name: str = "generated") -> list[Any]:
    store = desk.open()
    try:
        return [event_of(one) for one in store.read(f"generation-{name}")]
    finally:
        store.close()


def catalog_of(desk: Desk, name: str = "generated") -> Catalog:
    store = desk.open()
    try:
        return load(store, name, Catalog)
    finally:
        store.close()


def waiting(desk: Desk, name: str = "generated") -> list[str]:
    listed = desk.does("sotopia", "review", name, "--list", "--json").json
    return [one["id"] for one in listed if one["state"] == "waiting"]


def test_characters_get_a_secret_and_then_texts_and_are_asked_for_once(
    desk: Desk, model: Willing
) -> None:
    made = desk.does(*GENERATE, "characters", "--n", "3", *BY_MODEL, "--json").json
    assert (made["generated"], made["known"], made["waiting"]) == (3, 0, 3)
    assert len(model.asked) == 6
    listed = desk.does("sotopia", "review", "--list", "--json").json
    made_up = [one.item for one in events_of(desk) if isinstance(one, ItemGenerated)]
    names = [f"{one['first_name']} {one['last_name']}" for one in made_up]
    assert [one["title"] for one in listed] == names
    items = [one for one in events_of(desk) if isinstance(one, ItemGenerated)]
    store = desk.open()
    asked = {
        event.request_hash
        for one in store.read("find-generate.generated")
        if hasattr(event := event_of(one), "request_hash")
    }
    store.close()
    for item in items:
        assert item.item["secret"].startswith("Two winters ago")
        assert [one.version.partition(":")[0] for one in item.prompts] == ["secret-1", "public-1"]
        assert {one.request_hash for one in item.prompts} <= asked
        assert (item.model, item.seed) == ("test/writer", 0)
        assert item.source.startswith("attribute lists, number")
    made = desk.does(*GENERATE, "characters", "--n", "4", *BY_MODEL, "--json").json
    assert (made["generated"], made["known"]) == (1, 3)
    assert len(model.asked) == 8
    others = desk.does(*GENERATE, "characters", "--n", "3", "--seed", "1", *BY_MODEL, "--json").json
    assert others["generated"] == 3
    names = [one.item["first_name"] for one in events_of(desk) if isinstance(one, ItemGenerated)]
    base = {who.first_name for who in catalog_of(desk, "starter").characters}
    assert len(set(names)) == len(names) == 7
    assert not base & set(names)


def test_what_a_model_could_not_write_is_left_out_and_listed(desk: Desk, model: Willing) -> None:
    path = desk.file("v.toml", VIGNETTES)
    model.answer = lambda system, user: "no idea" if "number 3" in user else answer(system, user)
    made = desk.does(*GENERATE, "scenarios", "--n", "6", "--source", path, *BY_MODEL, "--json").json
    assert made["generated"] == 5
    (left,) = made["left_out"]
    assert left.startswith("vignettes, v.toml, v3: model 'test/writer' gave no usable answer")
    asked = len(model.asked)
    made = desk.does(*GENERATE, "scenarios", "--n", "6", "--source", path, *BY_MODEL, "--json").json
    assert (made["generated"], made["known"], len(model.asked)) == (0, 5, asked)


def test_a_model_that_is_lost_on_the_way_leaves_what_is_stored(desk: Desk, model: Willing) -> None:
    path = desk.file("v.toml", VIGNETTES)
    model.answer = lambda system, user: (
        ModelError("unauthorized", "no such key", may_pass=False)
        if len(model.asked) > 3
        else answer(system, user)
    )
    options = ("scenarios", "--n", "6", "--source", path, *BY_MODEL)
    said = desk.says(*GENERATE, *options)
    assert said.code == 3
    before = [one.id for one in events_of(desk) if isinstance(one, ItemGenerated)]
    paid = len(before)
    assert paid == 3
    model.answer, model.asked = answer, []
    made = desk.does(*GENERATE, *options, "--json").json
    assert (made["known"], made["generated"]) == (paid, 6 - paid)
    assert len(model.asked) == 6 - paid


def test_nothing_more_is_begun_once_a_model_is_lost(
    desk: Desk, model: Willing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.social.sotopia.generate_items.AT_ONCE", 2)
    path = desk.file("v.toml", VIGNETTES)
    model.answer = lambda system, user: (
        ModelError("unauthorized", "no such key", may_pass=False)
        if len(model.asked) == 1
        else answer(system, user)
    )
    assert desk.says(*GENERATE, "scenarios", "--n", "6", "--source", path, *BY_MODEL).code == 3
    assert len(model.asked) < 6


def test_a_story_is_asked_for_again_until_it_fits_both(desk: Desk, model: Willing) -> None:
    checks: list[str] = []

    def doubting(system: str, user: str) -> Any:
        if '"second"' not in user:
            return answer(system, user)
        checks.append(user)
        fits = "fits" if len(checks) == 2 else "contradicts"
        return {"first": "fits", "second": fits, "why": "Nobody of nineteen is an aunt."}

    model.answer = doubting
    options = ("relationships", "--n", "1", *BY_MODEL, "--json")
    assert desk.does(*GENERATE, *options).json["generated"] == 1
    assert len(model.asked) == 4
    assert "not used, because: Nobody of nineteen" in model.asked[2].messages[1].content
    (item,) = [one for one in events_of(desk) if isinstance(one, ItemGenerated)]
    assert len(item.prompts) == 4
    assert item.item["kind"] == "known_by_name"
    model.asked = []
    left = desk.does(*GENERATE, *options, "--seed", "1").json
    assert left["generated"] == 0
    assert "no story fits both: Nobody of nineteen" in left["left_out"][0]
    assert len(model.asked) == 6


def test_secrets_are_no_part_of_what_is_asked_about_relationships(
    desk: Desk, model: Willing
) -> None:
    desk.does(*GENERATE, "relationships", "--n", "8", *BY_MODEL)
    secrets = [who.secret for who in catalog_of(desk, "starter").characters]
    asked = "\n".join(one.messages[1].content for one in model.asked)
    assert len(model.asked) == 16
    made = [one.item for one in events_of(desk) if isinstance(one, ItemGenerated)]
    assert {"kin" in one for one in made if one["kind"] == "family"} == {True}
    assert not any("kin" in one for one in made if one["kind"] != "family")
    assert not any(secret in asked for secret in secrets)


def test_templates_need_no_model_and_bargains_may_be_made_fluent(
    desk: Desk, model: Willing
) -> None:
    goods = desk.file("goods.jsonl", lines(BARGAIN))
    friends = desk.file("friends.jsonl", lines(FRIENDS))
    desk.does(*GENERATE, "scenarios", "--n", "1", "--source", goods)
    desk.does(*GENERATE, "scenarios", "--n", "1", "--source", friends, *BY_MODEL)
    assert model.asked == []
    fluent = ("--source", goods, "--catalog", "fluent", *BY_MODEL)
    desk.does(*GENERATE, "scenarios", "--n", "1", *fluent)
    plain, lists = (one for one in events_of(desk) if isinstance(one, ItemGenerated))
    (rewritten,) = (one for one in events_of(desk, "fluent") if isinstance(one, ItemGenerated))
    assert (plain.model, plain.prompts, lists.model) == ("", (), "")
    assert rewritten.item["context"] == f"Listen: {plain.item['context']}"
    assert rewritten.prompts[0].version.startswith("fluent-1:")
    assert lists.item["source"] == "mutual_friends"
    none = ("--source", goods, "--catalog", "none", "--markup-scale", "0")
    desk.does(*GENERATE, "scenarios", "--n", "1", *none)
    (item,) = (one for one in events_of(desk, "none") if isinstance(one, ItemGenerated))
    assert "$100.00" in item.item["goals"][0]


def test_a_dry_run_asks_and_stores_nothing(desk: Desk, model: Willing) -> None:
    path = desk.file(
        "writer.toml",
        'model = "test/writer"\nmax_tokens = 300\ninput_usd_per_million = 1.0\n'
        "output_usd_per_million = 10.0\nreasks = 1\n",
    )
    desk.does("catalog", "list")
    head = desk.head()
    options = ("--n", "2", "--model", path, "--dry-run", "--json")
    told = desk.does(*GENERATE, "characters", *options).json
    assert (told["items"], told["calls"]) == (2, {"low": 4, "high": 8})
    assert told["output_tokens"] == {"low": 240, "high": 2400}
    low, high = told["usd"]
    assert low == pytest.approx(told["input_tokens"]["low"] / 1e6 + 0.0024, rel=0.01)
    assert high == pytest.approx(told["input_tokens"]["high"] / 1e6 + 0.024, rel=0.01)
    pairs = desk.does(*GENERATE, "relationships", *options).json
    assert pairs["calls"] == {"low": 4, "high": 24}
    assert (model.asked, desk.head()) == ([], head)
    assert "Nothing was asked or stored." in desk.does(*GENERATE, "characters", *options[:-1]).out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("characters", "--n", "2"), "written by a model; name one"),
        (("characters", "--n", "2", *BY_MODEL, "--catalog", "starter"), "Troupe's own catalog"),
        (("characters", "--n", "2", *BY_MODEL, "--base", "nowhere"), "nowhere"),
        (("characters", "--n", "2", *BY_MODEL, "--base", "tavern"), "environment 'tabletop'"),
        (("relationships", "--n", "9999", *BY_MODEL), "pairs without a relationship"),
        (("relationships", "--n", "1", *BY_MODEL, "--base", "none"), "there are 0 pairs"),
        (("scenarios", "--n", "9", "--source", "v.toml", *BY_MODEL), "has 6 different entries"),
        (("scenarios", "--n", "1", "--source", "bad.toml", *BY_MODEL), "bad.toml, line 2"),
        (
            ("scenarios", "--n", "1", "--source", "bad.jsonl"),
            "bad.jsonl, line 2: input data was truncated",
        ),
        (("scenarios", "--n", "1", "--source", "v.toml"), "written by a model; name one"),
    ],
)
def test_what_cannot_be_generated_is_refused_before_anything_is_stored(
    desk: Desk, model: Willing, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], why: str
) -> None:
    desk.does("catalog", "list")
    desk.file("v.toml", VIGNETTES)
    desk.file("bad.toml", '[[vignette]]\nid = 3\ntext = "x"\n')
    desk.file("bad.jsonl", lines(BARGAIN, "{"))
    monkeypatch.chdir(desk.folder)
    assert why in refused(desk, *GENERATE, *options)
    assert model.asked == []


def test_items_keep_to_the_base_they_were_begun_with(desk: Desk, model: Willing) -> None:
    goods = desk.file("goods.jsonl", lines(BARGAIN))
    desk.does(*GENERATE, "scenarios", "--n", "1", "--source", goods)
    again = (*GENERATE, "scenarios", "--n", "1", "--source", goods, "--base", "none")
    assert "are added to 'starter'" in refused(desk, *again)


def test_accepted_items_are_a_catalog_that_a_plan_plays(desk: Desk, model: Willing) -> None:
    desk.does(*GENERATE, "characters", "--n", "2", *BY_MODEL)
    assert desk.does("sotopia", "review", "--accept", "all", "--json").json["accepted"] == 2
    desk.does(*GENERATE, "relationships", "--n", "3", *BY_MODEL)
    path = desk.file("v.toml", VIGNETTES)
    desk.does(*GENERATE, "scenarios", "--n", "3", "--source", path, *BY_MODEL)
    scenarios = [one for one in waiting(desk) if one.startswith("g")]
    dropped, *kept = scenarios
    said = desk.does("sotopia", "review", "--drop", dropped, "--reason", "too flat")
    assert "1 dropped" in said.out
    ties = [one for one in waiting(desk) if one not in scenarios]
    both = [option for one in (*kept, *ties) for option in ("--accept", one)]
    saved = desk.does("sotopia", "review", *both, "--json").json
    assert (saved["accepted"], saved["tasks"], saved["left_out"]) == (7, 10, [])
    catalog = catalog_of(desk)
    assert dropped not in {one.id for one in catalog.scenarios}
    assert {*kept} < {one.id for one in catalog.scenarios}
    assert len(catalog.characters) == len(catalog_of(desk, "starter").characters) + 2
    plan = desk.file(
        "plan.toml",
        'catalog = "generated"\n[tasks]\ntags = ["generated"]\n[social]\nturn_cap = 2\n'
        '[minds.calm]\nkind = "rehearsal"\ntemper = "candid"\n[judges]\nuse = []\n',
    )
    desk.does("run", plan)
    (run,) = desk.does("runs", "--json").json
    assert run["episodes_planned"] == 10, run
    review = [one for one in events_of(desk) if isinstance(one, ItemReviewed)][2]
    assert (review.id, review.verdict, review.reason) == (dropped, "dropped", "too flat")
    assert review.by


def test_a_scenario_with_fewer_than_five_pairs_is_listed(desk: Desk, model: Willing) -> None:
    path = desk.file("v.toml", VIGNETTES)
    narrow = {"occupations": ["", "astronaut"]}
    model.answer = lambda system, user: {**answer(system, user), **narrow}
    desk.does(*GENERATE, "scenarios", "--n", "1", "--source", path, *BY_MODEL)
    saved = desk.does("sotopia", "review", "--accept", "all", "--json").json
    (note,) = saved["notes"]
    assert "instead of 5" in note
    assert saved["tasks"] == 0


def test_an_edited_item_is_stored_as_it_was_written_or_not_at_all(desk: Desk) -> None:
    goods = desk.file("goods.jsonl", lines(BARGAIN))
    desk.does(*GENERATE, "scenarios", "--n", "1", "--source", goods)
    (id_,) = waiting(desk)
    text = desk.does("sotopia", "review", "--edit", id_).out
    assert text.startswith(f'[[scenario]]\nid = "{id_}"')
    edit = ("sotopia", "review", "--edit", id_, "--file")
    for change, why in (
        (("codename", "codenam"), "line 3"),
        (("You are the buyer", '<p viewer=\\"x\\">You'), "viewer"),
        ((f'"{id_}"', '"other"'), "an item keeps its id"),
        (("[[scenario]]", "[[character]]"), "line"),
        (('"stranger"', '"foe"'), "line"),
    ):
        bad = desk.file("bad.toml", text.replace(*change, 1))
        assert why in refused(desk, *edit, bad)
    assert "be one [[scenario]]" in refused(desk, *edit, desk.file("none.toml", ""))
    good = desk.file("good.toml", text.replace("Road bike", "Racing bike"))
    assert desk.does(*edit, good, "--json").json["accepted"] == 1
    (scenario,) = [one for one in catalog_of(desk).scenarios if one.id == id_]
    assert scenario.codename == "Racing bike"
    desk.does("sotopia", "review", "--accept", id_)
    assert [one.verdict for one in events_of(desk) if isinstance(one, ItemReviewed)] == ["edited"]
    desk.does("sotopia", "review", "--drop", id_)
    last = events_of(desk)[-1]
    assert (last.verdict, last.item) == ("dropped", None)


def test_a_relationship_of_somebody_who_was_dropped_is_left_out(desk: Desk, model: Willing) -> None:
    desk.does(*GENERATE, "characters", "--n", "2", "--base", "none", *BY_MODEL)
    people = waiting(desk)
    desk.does("sotopia", "review", "--accept", "all")
    desk.does(*GENERATE, "relationships", "--n", "1", "--base", "none", *BY_MODEL)
    desk.does("sotopia", "review", "--accept", "all")
    assert len(catalog_of(desk).relationships) == 1
    saved = desk.does("sotopia", "review", "--drop", people[0], "--json").json
    assert "there is no character" in saved["left_out"][0]
    assert (len(catalog_of(desk).characters), catalog_of(desk).relationships) == (1, ())


class Terminal:
    """Somebody who types."""

    def __init__(self, *words: str) -> None:
        self.words = list(words)

    def __call__(self, *_: object, **__: object) -> str:
        return self.words.pop(0)


def test_the_terminal_asks_about_each_item_that_waits(
    desk: Desk, model: Willing, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = desk.file("v.toml", VIGNETTES)
    desk.does(*GENERATE, "scenarios", "--n", "4", "--source", path, *BY_MODEL)
    ids = waiting(desk)
    no_one = desk.says("sotopia", "review")
    assert no_one.code == 1
    assert "no one to ask" in no_one.err
    typed = Terminal("x", "a", "d", "dull", "e", "s", "e", "q")
    texts = ["[[scenario]]\n", None]
    monkeypatch.setattr("gateway.social.sotopia.review_command.is_asked", lambda: True)
    monkeypatch.setattr("typer.prompt", typed)
    monkeypatch.setattr("click.edit", lambda *_, **__: texts.pop(0))
    nothing = desk.says("sotopia", "review", "mine")
    assert nothing.code == 1
    assert "nothing was generated under that name yet; there is generated" in " ".join(
        nothing.err.split()
    )
    said = desk.does("sotopia", "review")
    assert "1 of 4" in said.out
    assert "Five pairs at least" in said.out
    assert "line" in said.err
    states = {
        one["id"]: one["state"] for one in desk.does("sotopia", "review", "--list", "--json").json
    }
    assert [states[id_] for id_ in ids] == ["accepted", "dropped", "waiting", "waiting"]
    assert typed.words == []
    assert ids[0] in {one.id for one in catalog_of(desk).scenarios}


@pytest.fixture
def page(
    desk: Desk, model: Willing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient[Litestar]]:
    path = desk.file("v.toml", VIGNETTES)
    desk.does(*GENERATE, "scenarios", "--n", "3", "--source", path, *BY_MODEL)
    monkeypatch.setattr(route_modules, "ROUTES", (generated.routes,))
    monkeypatch.setattr(route_modules, "BESIDE", ())
    store = desk.open()
    gateway: Gateway = gateway_over(store, tmp_path / "served")
    gateway.limits = RateLimits(Tuning(requests_per_s=1e9))
    client: TestClient[Litestar] = TestClient(make_app(gateway), raise_server_exceptions=False)
    client.follow_redirects = False
    client.headers.update(
        signed_in(gateway, "researcher", name="rosa")[1]
        | {"sec-fetch-site": "same-origin", **BROWSER}
    )
    yield client
    store.close()


def test_pages_accept_edit_drop_and_save(desk: Desk, page: TestClient[Litestar]) -> None:
    assert '<a href="/generated/generated">' in page.get("/generated").text
    first, second, third = waiting(desk)
    listed = page.get("/generated/generated?only=waiting").text
    assert all(f"/generated/generated/{id_}" in listed for id_ in (first, second, third))
    assert "Save the catalog" not in listed
    assert page.post("/generated/generated").status_code == 409
    shown = page.get(f"/generated/generated/{first}").text
    assert "Two neighbours meet at the bins" in shown
    assert "Five pairs at least" in shown
    on = page.post(f"/generated/generated/{first}", data={"verdict": "accepted", "text": "x"})
    assert (on.status_code, on.headers["location"]) == (303, f"/generated/generated/{second}")
    dropped = {"verdict": "dropped", "reason": "<i>dull</i>"}
    assert page.post(f"/generated/generated/{second}", data=dropped).status_code == 303
    assert "&lt;i&gt;dull" in page.get("/generated/generated").text
    bad = page.post(
        f"/generated/generated/{third}",
        data={"verdict": "edited", "text": '[[scenario]]\nid = "a"'},
    )
    assert bad.status_code == 422
    assert "Line 1" in bad.text
    assert "[[scenario]]\nid = &#34;a&#34;" in bad.text
    assert page.post(f"/generated/generated/{third}", data={"verdict": "x"}).status_code == 400
    assert page.get("/generated/generated/nothing").status_code == 404
    assert page.get("/generated/nothing").status_code == 404
    saved = page.post("/generated/generated")
    assert saved.status_code == 200
    assert "1 accepted item" in saved.text
    assert "5 tasks" in saved.text
    reviews = [one for one in events_of(desk) if isinstance(one, ItemReviewed)]
    assert [(one.id, one.verdict, one.by) for one in reviews] == [
        (first, "accepted", "rosa"),
        (second, "dropped", "rosa"),
    ]
    assert first in {one.id for one in catalog_of(desk).scenarios}


def test_participants_see_no_page_of_generated_items(
    desk: Desk, page: TestClient[Litestar]
) -> None:
    gateway = page.app.state.gateway
    page.headers.update(signed_in(gateway, "annotator", name="ann")[1])
    for path in ("/generated", "/generated/generated", f"/generated/generated/{waiting(desk)[0]}"):
        assert page.get(path).status_code == 403


def test_the_state_is_that_of_the_events(desk: Desk) -> None:
    goods = desk.file("goods.jsonl", lines(BARGAIN))
    desk.does(*GENERATE, "scenarios", "--n", "1", "--source", goods)
    (_, item) = events_of(desk)
    store = desk.open()
    Generations(store).made("generated", item)
    state = Generations(store).load("generated").state
    store.close()
    assert len(events_of(desk)) == 2
    assert state.counts() == {"waiting": 1, "accepted": 0, "edited": 0, "dropped": 0}
    assert (state.began.environment, state.began.base) == ("social", "starter")
