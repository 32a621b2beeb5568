"""A language model that is tuned here: the steps and the files on a tiny one, and once the weights
that `troupe local fetch` brings."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from actors.models.local.weights import file_of
from evaluators.tabletop.calls.samples import Label
from evaluators.tabletop.virtual_dms import needed
from evaluators.tabletop.virtual_dms.dm_file import LoraFile, make_dm
from evaluators.tabletop.virtual_dms.needed import LORA, ExtraMissing
from evaluators.tabletop.virtual_dms.port import VirtualDM
from evaluators.tabletop.virtual_dms.questions import answer_of, messages
from evaluators.tabletop.virtual_dms.saved import read_fitted, save
from gateway.settings import read_settings
from tests.evaluators.tabletop.virtual_dms.own_samples import CAST, no_callers, plain, plain_samples
from tests.evaluators.worldtree.internals.models import llama, save_tokeniser

installed = pytest.mark.skipif(
    any(find_spec(name) is None for name in LORA), reason="peft is not installed: make lora"
)
SAMPLES = plain_samples("Stealth", sessions=1)
WEIGHTS = file_of("local/smollm2", read_settings().models_dir)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LoraFile:
    """Two layers with random weights, and a tokeniser that knows the samples' words."""
    folder = tmp_path_factory.mktemp("tiny")
    texts = [
        text
        for one in SAMPLES
        for text in (
            *(message.content for message in messages("direct", one.lines, one.cast)),
            answer_of(one.labels),
        )
    ]
    llama(vocab_size=600, max_position_embeddings=1_024).save_pretrained(folder)
    save_tokeniser(folder, texts)
    return LoraFile(name="tiny", model=str(folder), steps=4, batch=2, rate=0.01, length=700)


def test_without_peft_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed, "find_spec", lambda _: None)
    with pytest.raises(ExtraMissing, match=r"torch, transformers, peft.*troupe-server\[lora\]"):
        make_dm(LoraFile(model="here"), no_callers)


@installed
def test_steps_are_told_and_what_was_learned_comes_back(tiny: LoraFile, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    dm = make_dm(tiny, no_callers, 1, lambda done, of: told.append((done, of)))
    before = said(dm)
    dm.fit(SAMPLES)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    path = tmp_path / "d.json"
    save(path, tiny, dm, 1)
    again = read_fitted(path, no_callers)
    assert again.trained_on == dm.trained_on
    assert said(again) == said(dm)
    second = make_dm(tiny, no_callers, 1)
    second.fit(SAMPLES[::-1])
    assert said(second) == said(dm), "the same samples and seed teach the same"
    assert before is not None


def said(dm: VirtualDM) -> object:
    """What it answers, and with which certainty of its first token."""
    import torch

    found = dm.predict_all(SAMPLES[:1])
    ids = dm._question(SAMPLES[0].lines, SAMPLES[0].cast)
    with torch.inference_mode():
        return found, dm._model(torch.tensor([ids])).logits[0, -1].tolist()


@installed
def test_what_is_not_there_or_no_adaptation_is_one_sentence(tiny: LoraFile, tmp_path: Path) -> None:
    from evaluators.tabletop.virtual_dms.lora import ADAPTATION, CannotTune

    missing = make_dm(LoraFile(model=str(tmp_path / "none")), no_callers)
    with pytest.raises(CannotTune, match="cannot be used") as refused:
        missing.fit(SAMPLES)
    assert "\n" not in str(refused.value)
    with pytest.raises(ValueError, match="nothing to learn from"):
        make_dm(tiny, no_callers).fit([])
    dm = make_dm(tiny, no_callers)
    with pytest.raises(CannotTune, match=f"there is no {ADAPTATION}"):
        dm.load_adaptation(tmp_path, "0" * 32)
    (tmp_path / ADAPTATION).write_bytes(b"no tensors")
    with pytest.raises(CannotTune):
        dm.load_adaptation(tmp_path, "0" * 32)


@installed
@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.skipif(not WEIGHTS.is_file(), reason=f"there is no {WEIGHTS}: troupe local fetch")
def test_weights_of_a_few_bits_are_tuned() -> None:
    file = LoraFile(model=str(WEIGHTS), steps=8, batch=1, rate=2e-3, length=768)
    dm = make_dm(file, no_callers, 1)
    dm.fit(SAMPLES)
    found = dm.predict_all([plain("new", "Bo", "Stealth")])
    assert all(isinstance(label, Label) and label.who in CAST for label in found[0] or ())
    assert found[0] is not None, "after a few steps it answers in the form"
