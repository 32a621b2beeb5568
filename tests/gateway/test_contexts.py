"""What models take: found before a run begins, remembered, told of by ``doctor``; and prompts that
do not fit, known before the first call."""

from collections.abc import Iterator

import pytest

from gateway.models.model_warnings import LEAST_ANSWERS
from tests.faults.hostile import HostileServer
from tests.gateway.command import Desk
from tests.support.runs import chain_plan, model_minds, plan
from tests.support.servers.stub_llm import StubServer, StubSettings


def served(context: int) -> StubSettings:
    """A server that says how much fits."""
    return StubSettings(models={"data": [{"id": "stub", "max_model_len": context}]})


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with HostileServer(StubSettings()) as server:
        yield server


def chains(server: StubServer, memory: str = "", **settings: float) -> str:
    """Chains of three episodes of one model in both seats, with all earlier ones remembered."""
    return (
        chain_plan(
            minds=model_minds(server.url, max_tokens=100, **settings),
            pairings='[["stub", "stub"]]',
            memory='["all"]',
            pairs=1,
            turn_cap=6,
        )
        + f'\n[memories.all]\nmodule = "full"\n{memory}\n'
    )


def test_a_run_asks_each_server_once_and_the_next_run_asks_in_the_form_it_found(
    desk: Desk, server: HostileServer
) -> None:
    server.settings = StubSettings(takes="json")
    text = plan(model_minds(server.url), tasks=1, rules="turn_cap = 2")
    run = desk.does("run", desk.file("plan.toml", text), "--json").json["run"]["id"]
    formats = [body.get("response_format", {}).get("type") for body in server.bodies]
    assert formats == ["json_object"] * 3
    refused = server.stats.requests - len(server.bodies)
    assert refused == 2, "a schema, and one without bounds"
    desk.does("run", desk.file("plan.toml", text), "--json")
    assert server.stats.requests - len(server.bodies) == refused
    tiny = [body["max_tokens"] for body in server.bodies if body["max_tokens"] <= 16]
    assert len(tiny) == 2, "one for each run"
    # What was played is rendered again as it was sent.
    assert desk.does("show", run).out


def test_doctor_lists_what_models_take_and_looks_again(desk: Desk, server: HostileServer) -> None:
    server.settings = served(8192)
    text = plan(model_minds(server.url), tasks=1)
    path = desk.file("plan.toml", text)
    desk.width(400)

    def found(*arguments: str, what: str = "found") -> str:
        (finding,) = [
            one
            for one in desk.does("doctor", *arguments, "--json").json
            if one["what"] == "model openai/stub"
        ]
        return str(finding[what])

    desk.does("catalog", "list")
    said = found(path)
    assert "answers in a JSON Schema; context 8,192 tokens" in said
    assert server.url in said
    assert "20" in said.rpartition("found at")[2]
    requests = server.stats.requests
    assert "answers in a JSON Schema; context 8,192 tokens" in found("--no-probe")
    assert "`troupe doctor PLAN.toml`" in found("--no-probe", what="mend")
    assert server.stats.requests == requests
    server.settings = StubSettings(refuse_schema=True)
    assert "plain text" in found(path)
    assert "response_format is not supported" in found("--no-probe")
    server.settings = StubSettings()
    assert "answers in a JSON Schema; context not said" in found(path)


def test_chains_that_do_not_fit_are_refused_before_the_first_call(
    desk: Desk, server: HostileServer
) -> None:
    server.settings = served(2400)
    path = desk.file("plan.toml", chains(server))
    said = desk.says("run", path)
    assert said.code == 1
    words = " ".join(said.err.split())
    assert "mind 'stub' with memory 'all'" in words
    assert "takes 2,400 of both" in words
    assert "set context_tokens = 2400 in [memories.all]" in words
    assert desk.does("runs", "--json").json == [], "nothing was begun"
    assert len(server.bodies) == 1, "the probe alone"
    # It is told of by a dry run, which begins nothing.
    dry = desk.does("run", path, "--dry-run")
    assert "takes 2,400 of both" in " ".join((dry.out + dry.err).split())
    # What the sentence says mends it.
    path = desk.file("plan.toml", chains(server, "context_tokens = 2400"))
    desk.does("run", path)


def test_without_a_word_of_the_server_the_settings_say_what_fits(
    desk: Desk, server: HostileServer
) -> None:
    path = desk.file("plan.toml", chains(server))
    desk.does("run", path, "--dry-run")
    path = desk.file("plan.toml", chains(server, "context_tokens = 900"))
    said = desk.says("run", path)
    assert said.code == 1
    assert "takes 900 of both" in " ".join(said.err.split())


def test_a_model_too_small_for_the_first_prompt_is_refused(
    desk: Desk, server: HostileServer
) -> None:
    server.settings = served(300)
    text = plan(model_minds(server.url, max_tokens=100), tasks=1, rules="turn_cap = 2")
    said = desk.says("run", desk.file("plan.toml", text))
    assert said.code == 1, "not even the first prompt fits"
    assert "takes 300 of both" in " ".join(said.err.split())


def test_what_may_not_fit_is_said_and_played(desk: Desk, server: HostileServer) -> None:
    server.settings = served(4096)
    minds = model_minds(server.url, max_tokens=900)
    text = plan(minds, tasks=1, rules="turn_cap = 6")
    said = desk.does("run", desk.file("plan.toml", text))
    assert "takes 4,096 of both: lower max_tokens" in " ".join(said.err.split())


def test_a_run_that_is_hard_to_read_says_so_while_it_goes_on(
    desk: Desk, server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gateway.models.model_warnings

    monkeypatch.setattr(gateway.models.model_warnings, "LOOK_S", 0.05)
    server.settings = StubSettings(truncated=0.5, latency_s=0.05)
    minds = model_minds(server.url, structured_output="false")  # type: ignore[arg-type]
    text = plan(minds, tasks=6, rules="turn_cap = 10", concurrency=4)
    said = desk.says("run", desk.file("plan.toml", text))
    (run,) = desk.does("runs", "--json").json
    (note,) = desk.does("show", run["id"], "--json").json["notes"]
    assert note["note"]["answers"] >= LEAST_ANSWERS
    assert note["note"]["unusable"] > note["note"]["answers"] / 5
    desk.width(200)
    shown = " ".join(desk.says("show", run["id"]).out.split())
    assert f"of the first {note['note']['answers']} answers of openai/stub could not be" in shown
    assert "`troupe doctor` says" in shown
    assert "docs/how-to/local-models.md" in " ".join(said.err.split()), "while it went on"


def test_answers_that_can_be_read_are_not_looked_through(
    desk: Desk, server: HostileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gateway.models.model_warnings

    looks: list[str] = []
    monkeypatch.setattr(gateway.models.model_warnings, "LOOK_S", 0.01)
    monkeypatch.setattr(
        gateway.models.model_warnings, "first_answers", lambda _, run: looks.append(run) or []
    )
    server.settings = StubSettings(latency_s=0.05)
    text = plan(model_minds(server.url), tasks=2, rules="turn_cap = 4")
    desk.does("run", desk.file("plan.toml", text))
    assert not looks
    server.settings = StubSettings(truncated=1, latency_s=0.05)
    assert desk.says("run", desk.file("plan.toml", text)).code == 4
    assert looks
