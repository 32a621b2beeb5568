"""``DM.toml``, and files of virtual game masters that have learned."""

import json
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from actors.toml_file import BadFile
from evaluators.tabletop.calls.sample_file import read_all_samples, read_samples
from evaluators.tabletop.virtual_dms import saved
from evaluators.tabletop.virtual_dms.dm_file import (
    LanguageModelFile,
    LexiconFile,
    LinearFile,
    LoraFile,
    make_dm,
    read_dm,
    untrained_dm,
)
from evaluators.tabletop.virtual_dms.language_model import LanguageModelDM
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from evaluators.tabletop.virtual_dms.saved import read_fitted, read_saved, save
from tests.evaluators.tabletop.virtual_dms.own_samples import (
    no_callers,
    own_samples,
    plain,
    plain_samples,
)

needs_sklearn = pytest.mark.skipif(
    find_spec("sklearn") is None, reason="scikit-learn is not installed: make dev"
)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "DM.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_each_kind_is_read(tmp_path: Path) -> None:
    assert read_dm(written(tmp_path, 'kind = "lexicon"')) == LexiconFile(name="DM")
    linear = read_dm(written(tmp_path, 'kind = "linear"\nname = "ours"\nstrength = 0.5'))
    assert linear == LinearFile(name="ours", strength=0.5)
    lora = read_dm(written(tmp_path, 'kind = "lora"\nmodel = "local/smollm2"\nsteps = 3'))
    assert isinstance(lora, LoraFile)
    assert (lora.steps, lora.rank) == (3, 8)
    asked = read_dm(
        written(tmp_path, 'kind = "llm"\nmodel = "openai/x"\nprompt = "three-step"\nexamples = 2')
    )
    assert isinstance(asked, LanguageModelFile)
    assert (asked.spec().name, asked.spec().temperature, asked.examples) == ("openai/x", 0.0, 2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'kind' is missing; it is one of lexicon, linear, lora, llm"),
        ('kind = "linaer"', "is 'linaer'; the nearest is 'linear'"),
        ("kind = 3", "kind: must be one of lexicon, linear, lora, llm, is 3"),
        ('kind = "linear"\nstrength = 0', "strength: must be a number more than 0"),
        ('kind = "linear"\nstrength = nan', "strength"),
        ('kind = "lexicon"\nstrength = 1', "there is no field 'strength' here"),
        ('kind = "llm"', "model: name the model"),
        ('kind = "llm"\nmodel = "openai/x"\nprompt = "three"', "did you mean 'three-step'?"),
        ('kind = "llm"\nmodel = "openai/x"\nexamples = -1', "examples: must be a whole number"),
        ('kind = "llm"\nmodel = "x/y"\nadapter = "direct"', "base_url"),
        ('kind = "lora"', 'model: name the weights: "local/smollm2"'),
        ('kind = "lora"\nmodel = "x"\nsteps = 0', "steps: must be a whole number from 1"),
        ("kind = [", "is not valid TOML"),
        (b"kind = \xff", "DM.toml"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, text: str | bytes, why: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_dm(written(tmp_path, text))
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_has_learned_nothing_stands_for_d_0() -> None:
    assert isinstance(untrained_dm(LinearFile(), no_callers), LexiconDM)
    asked = untrained_dm(LanguageModelFile(model="openai/x", examples=3), no_callers)
    assert isinstance(asked, LanguageModelDM)
    assert (asked.shown, asked.trained_on) == ((), "")


@needs_sklearn
def test_linear_models_come_back_as_they_were(tmp_path: Path) -> None:
    samples, path = own_samples(), tmp_path / "d.json"
    dm = make_dm(LinearFile(name="d"), no_callers, 2)
    dm.fit(samples)
    save(path, LinearFile(name="d"), dm, 2)
    again = read_fitted(path, no_callers)
    assert again.trained_on == dm.trained_on
    assert again.predict_all(samples) == dm.predict_all(samples)
    first = path.read_bytes()
    dm.fit(samples[::-1])
    save(path, LinearFile(name="d"), dm, 2)
    assert path.read_bytes() == first


def test_others_come_back_too(tmp_path: Path) -> None:
    samples, path = plain_samples(), tmp_path / "d.json"
    dm = make_dm(LexiconFile(), no_callers)
    dm.fit(samples)
    save(path, LexiconFile(name="words"), dm, 0)
    again = read_fitted(path, no_callers)
    assert again.trained_on == dm.trained_on
    assert again.predict_all(samples) == dm.predict_all(samples)
    file = LanguageModelFile(name="m", model="openai/x", examples=2)
    asked = make_dm(file, no_callers, 5)
    asked.fit(samples)
    save(path, file, asked, 5)
    back = read_fitted(path, no_callers)
    assert isinstance(back, LanguageModelDM)
    assert back.shown == asked.shown
    assert len(back.shown) == 2


def changed(data: dict[str, object], *path: str | int, to: object) -> dict[str, object]:
    """With another value at one place; ``to`` None: without it."""
    whole = at = json.loads(json.dumps(data))
    for step in path[:-1]:
        at = at[step]
    if to is None:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return whole


@needs_sklearn
def test_a_file_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    dm = make_dm(LinearFile(), no_callers)
    dm.fit(plain_samples())
    save(path, LinearFile(name="d"), dm, 0)
    good = json.loads(path.read_bytes())
    cases = [
        (good, ("kind",), "pickle", "is no virtual game master"),
        (good, ("format",), 2, "is no virtual game master"),
        (good, ("trained_on",), "x", "is no virtual game master"),
        (good, ("weights",), None, "is no virtual game master"),
        (good, ("weights", "usual"), [0.0], "usual has 1 numbers and must have 18"),
        (good, ("weights", "who", 0), "a", "is no virtual game master"),
        (good, ("weights", "words", 1), good["weights"]["words"][0], "none twice"),
        (good, ("weights", "meant"), [], "rows for 3 skills"),
        (good, ("weights", "spread", 0), 0.0, "spread must be more than 0"),
        (good, ("weights", "skills"), [], "skills must have some"),
        (good, ("dm", "strength"), 0, "is no virtual game master"),
        (good, ("dm", "strength"), 0.5, "its checksum is another"),
        (good, ("weights", "words", 1), "wizards", "its checksum is another"),
        (good, ("seed",), 1, "its checksum is another"),
        (good, ("trained_on",), "0" * 32, "its checksum is another"),
        (good, ("checksum",), None, "has no checksum"),
    ]
    for data, where, to, why in cases:
        path.write_text(json.dumps(changed(data, *where, to=to)))
        with pytest.raises(BadFile) as refused:
            read_saved(path)
        assert why in str(refused.value), where
    for text in (b"", b"{", b"\x80\x04\x95", b"[" * 100_000):
        path.write_bytes(text)
        with pytest.raises(BadFile, match="is no virtual game master"):
            read_saved(path)
    with pytest.raises(BadFile, match="No such file"):
        read_saved(tmp_path / "missing.json")


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved, "MOST_BYTES", 1024 * 1024)
    path = tmp_path / "d.json"
    path.write_bytes(b" " * (1024 * 1024 + 1))
    with pytest.raises(BadFile, match="larger than 1 MiB"):
        read_saved(path)


def test_samples_are_read_and_bad_ones_named(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    samples = plain_samples()

    def write(*lines: bytes) -> None:
        path.write_bytes(b"\n".join(lines) + b"\n")

    good = [msgspec.json.encode(one) for one in samples]
    write(*good)
    assert read_samples(path) == samples
    write(good[0], b"{}")
    with pytest.raises(BadFile, match=r"line 2: is no labelled sample .*tabletop calls"):
        read_samples(path)
    write(good[0], good[1], good[0])
    with pytest.raises(BadFile, match="read before"):
        read_all_samples([path])
    write(good[0].replace(b'"session":"s0"', b'"session":""'))
    with pytest.raises(BadFile, match="has no session"):
        read_samples(path)
    stranger = plain("s", "Zoe", "Stealth")
    write(msgspec.json.encode(stranger))
    with pytest.raises(BadFile, match="label for 'Zoe', who is none of its cast"):
        read_samples(path)
    write(good[0], b"", b"  ", good[1])
    assert read_samples(path) == samples[:2]
    write(msgspec.json.encode(msgspec.structs.replace(samples[0], lines=())))
    with pytest.raises(BadFile, match="has no lines"):
        read_samples(path)
    for binary in (b"\0\1\2", b'"\xff\xfe"'):
        write(binary)
        with pytest.raises(BadFile, match="is not a text file"):
            read_samples(path)
    for empty in (b"", b"\n \n"):
        path.write_bytes(empty)
        with pytest.raises(BadFile, match="is empty"):
            read_samples(path)
    with pytest.raises(BadFile, match="No such file"):
        read_samples(tmp_path / "none.jsonl")
