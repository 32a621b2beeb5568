"""``troupe tabletop fit``: from a file of samples to one of a virtual game master."""

import json
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from evaluators.tabletop.virtual_dms import needed
from evaluators.tabletop.virtual_dms.port import data_hash
from evaluators.tabletop.virtual_dms.saved import read_fitted
from gateway.tabletop.dm_models import caller_here
from tests.evaluators.tabletop.virtual_dms.own_samples import OWN, own_samples, plain_samples
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

needs_sklearn = pytest.mark.skipif(
    find_spec("sklearn") is None, reason="scikit-learn is not installed: make dev"
)


def files(desk: Desk, dm: str, samples: list = ()) -> tuple[str, str]:
    """The paths of a ``DM.toml`` and of a file of samples."""
    toml, calls = desk.folder / "DM.toml", desk.folder / "calls.jsonl"
    toml.write_text(dm)
    calls.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in samples))
    return str(toml), str(calls)


@needs_sklearn
def test_calls_become_a_virtual_game_master(desk: Desk) -> None:
    toml, calls = files(desk, 'kind = "linear"\nname = "ours"\n')
    out = desk.folder / "dm.json"
    desk.does("tabletop", "calls", str(OWN), "--cast", str(OWN / "cast.toml"), "-o", calls)
    fit = ("tabletop", "fit", calls, "--dm", toml, "-o", str(out), "--seed", "4")
    said = desk.does(*fit).out
    for part in (
        "ours, a virtual game master of kind linear",
        "trained on 79 samples of 5 sessions; seed 4",
        data_hash(own_samples()),
        "5 parts, by session",
        "own score, tuples",
        "Stealth",
    ):
        assert part in said
    first = out.read_bytes()
    told = desk.does(*fit, "--json").json
    assert out.read_bytes() == first, "the same samples and seed"
    assert (told["samples"], told["sessions"], told["kind"]) == (79, 5, "linear")
    assert told["trained_on"] == data_hash(own_samples())
    assert 0 < told["score"]["tuples"] < told["score"]["characters"] <= 1
    dm = read_fitted(out, caller_here)
    assert len(dm.predict_all(own_samples())) == 79


@needs_sklearn
def test_what_whoever_trains_it_should_know_is_noted(desk: Desk) -> None:
    toml, calls = files(desk, 'kind = "linear"', plain_samples("Stealth", sessions=1))
    out = str(desk.folder / "dm.json")
    said = desk.does("tabletop", "fit", calls, "--dm", toml, "-o", out)
    assert "all samples call for Stealth" in said.err
    assert "there is one session" in " ".join(said.err.split())
    quiet = desk.does("tabletop", "fit", calls, "--dm", toml, "-o", out, "--no-score").out
    assert "not measured" in quiet
    toml, calls = files(desk, 'kind = "lexicon"', plain_samples()[:1])
    one = desk.does("tabletop", "fit", calls, "--dm", toml, "-o", out)
    assert "there is one sample" in " ".join(one.err.split())


def test_the_lexicon_needs_no_package(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    toml, calls = files(desk, 'kind = "lexicon"', plain_samples())
    out = desk.folder / "dm.json"
    monkeypatch.setattr(needed, "find_spec", lambda _: None)
    said = desk.does("tabletop", "fit", calls, "--dm", toml, "-o", str(out))
    assert "learns nothing" in said.err
    assert "learns nothing from 36 samples" in " ".join(said.out.split())
    assert json.loads(out.read_bytes())["kind"] == "lexicon"
    files(desk, 'kind = "linear"', plain_samples())
    why = refused(desk, "tabletop", "fit", calls, "--dm", toml, "-o", str(out))
    assert "needs scikit-learn" in why
    assert "troupe-server[tabletop]" in why
    files(desk, 'kind = "lora"\nmodel = "here"', plain_samples())
    why = refused(desk, "tabletop", "fit", calls, "--dm", toml, "-o", str(out))
    assert "troupe-server[lora]" in why


def test_a_language_model_is_not_asked_and_its_samples_can_be_exported(desk: Desk) -> None:
    toml, calls = files(
        desk, 'kind = "llm"\nmodel = "openai/ft:gpt-3.5-turbo:us"\nexamples = 2', plain_samples()
    )
    out, tuning = desk.folder / "dm.json", desk.folder / "tuning.jsonl"
    fit = ("tabletop", "fit", calls, "--dm", toml, "-o", str(out), "--openai", str(tuning))
    said = desk.does(*fit)
    assert "not measured" in said.out
    assert "36 samples for fine-tuning" in " ".join(said.out.split())
    lines = [json.loads(line) for line in tuning.read_bytes().splitlines()]
    assert len(lines) == 36
    assert {tuple(m["role"] for m in one["messages"]) for one in lines} == {
        ("system", "user", "assistant")
    }
    assert len(json.loads(out.read_bytes())["examples"]) == 2


def test_what_cannot_be_used_is_refused(desk: Desk) -> None:
    toml, calls = files(desk, 'kind = "lexicon"', plain_samples())
    out = str(desk.folder / "dm.json")

    def why(*arguments: str) -> str:
        return refused(desk, "tabletop", "fit", *arguments, "-o", out)

    transcript = str(sorted(OWN.glob("*.json"))[0])
    assert "is no labelled sample" in why(transcript, "--dm", toml)
    assert "No such file" in why(str(desk.folder / "none.jsonl"), "--dm", toml)
    assert "read before" in why(calls, calls, "--dm", toml)
    assert "no such file" in why(calls, "--dm", str(desk.folder / "none.toml"))
    other = str(desk.folder / "tuning.jsonl")
    assert "is for kind llm" in why(calls, "--dm", toml, "--openai", other)
    files(desk, 'kind = "llm"\nmodel = "openai/x"\nexamples = 900', plain_samples())
    assert "900 examples are to be shown, and 36 samples have labels" in why(calls, "--dm", toml)
    files(desk, 'kind = "linear', plain_samples())
    assert "is not valid TOML" in why(calls, "--dm", toml)
    desk.set("TROUPE_MODELS_DIR", str(desk.folder / "no-models"))
    files(desk, 'kind = "lora"\nmodel = "local/smollm2"', plain_samples())
    assert "troupe local fetch" in why(calls, "--dm", toml)
    assert not Path(out).exists()


def test_nothing_that_is_read_is_written(desk: Desk) -> None:
    toml, calls = files(desk, 'kind = "llm"\nmodel = "openai/x"', plain_samples())
    here = {Path(one): Path(one).read_bytes() for one in (toml, calls)}
    linked = desk.folder / "linked.jsonl"
    linked.symlink_to(calls)
    fit = ("tabletop", "fit", calls, "--dm", toml)
    for out in (calls, toml, str(linked)):
        assert "is another file of this command" in refused(desk, *fit, "-o", out)
    new = str(desk.folder / "new")
    for out in (calls, toml, new):
        why = refused(desk, *fit, "-o", new, "--openai", out)
        assert why.startswith("--openai")
    assert {path: path.read_bytes() for path in here} == here
