"""Models are read as transformers runs them: two layers, random weights, nothing downloaded."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluators.worldtree.internals import forward_passes, model_blocks, model_loader
from evaluators.worldtree.internals.errors import CannotRun, NoSuchBlock, UnknownModule
from evaluators.worldtree.internals.importance import row_sums, scores
from evaluators.worldtree.internals.model_loader import Loaded, Source
from evaluators.worldtree.internals.text_samples import Text
from tests.evaluators.worldtree.internals.models import gpt2, llama, save_tokeniser

pytestmark = pytest.mark.skipif(
    find_spec("torch") is None, reason="PyTorch is not installed: make inside"
)

TEXTS = [
    Text("a", "en", "Adaptability", "Who waits?\nThe others will wait for us, and we for them."),
    Text("b", "en", "Adaptability", "Who asks?\nI do."),
    Text("c", "zh", "Adaptability", "谁等\n我等"),
]
HERE = Source("here")


def loaded(folder: Path, model: Any) -> Loaded:
    """The model, as it is loaded from a folder."""
    model.save_pretrained(folder)
    save_tokeniser(folder, [text.text for text in TEXTS])
    return model_loader.load(Source(str(folder)))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return loaded(tmp_path_factory.mktemp("llama"), llama())


def alone(small: Loaded, text: str) -> Any:
    """What the whole model says of one text, without the mark behind it."""
    import torch

    ids = small.tokeniser(text)["input_ids"][:-1]
    with torch.inference_mode():
        return small.model(
            torch.tensor([ids]), output_hidden_states=True, output_attentions=True, use_cache=False
        )


def test_of_texts_of_any_length_the_last_token_is_kept(small: Loaded) -> None:
    places = model_blocks.find(small.model)
    together = forward_passes.read(small, places, TEXTS, "last", HERE)
    for text, seen in zip(TEXTS, together, strict=True):
        said = alone(small, text.text)
        assert seen.tokens == said.logits.shape[1]
        np.testing.assert_allclose(
            seen.hidden, said.hidden_states[-1][0, -1].numpy(), rtol=1e-4, atol=1e-5
        )


def test_inputs_of_the_layer_are_what_it_is_given(small: Loaded) -> None:
    places = model_blocks.find(small.model, layer=0)
    given: list[np.ndarray] = []
    hook = places.layer.register_forward_pre_hook(lambda _, one: given.append(one[0][0].numpy()))
    alone(small, TEXTS[0].text)
    hook.remove()
    (last,) = forward_passes.read(small, places, TEXTS[:1], "last", HERE)
    norm = forward_passes.read(small, places, TEXTS, "all", HERE)[0]
    np.testing.assert_allclose(last.inputs, np.abs(given[0][-1]), rtol=1e-4, atol=1e-6)
    expected = np.linalg.norm(given[0], axis=0)
    np.testing.assert_allclose(norm.inputs, expected, rtol=1e-4, atol=1e-6)


def test_attention_is_the_mean_over_heads_and_blocks_of_what_the_last_token_looks_at(
    small: Loaded,
) -> None:
    text = "Who asks?\nI do."
    said = alone(small, text)
    rows = np.mean([one[0, :, -1].numpy().mean(axis=0) for one in said.attentions], axis=0)
    seen = forward_passes.read(small, model_blocks.find(small.model), TEXTS, "last", HERE)[1]
    assert seen.words is not None
    found = {one.word: one.weight for one in seen.words}
    # <s> Who asks ? I do .
    expected = {"Who": rows[1], "asks": rows[2], "I": rows[4], "do": rows[5]}
    assert found == pytest.approx(expected, rel=1e-4)


def test_a_text_that_the_model_cannot_hold_is_not_read(tmp_path: Path) -> None:
    short = loaded(tmp_path, llama(max_position_embeddings=8))
    seen = forward_passes.read(short, model_blocks.find(short.model), TEXTS, "last", HERE)
    assert [one.tokens for one in seen] == [0, 7, 3]


def test_the_layer_is_the_last_blocks_or_the_one_that_is_named(small: Loaded) -> None:
    assert model_blocks.find(small.model).name == "model.layers.1.mlp.down_proj"
    assert model_blocks.find(small.model, layer=-2).name == "model.layers.0.mlp.down_proj"
    own = "model.layers.1.mlp.up_proj"
    assert model_blocks.find(small.model, module=own).name == own


@pytest.mark.parametrize("layer", [2, -3])
def test_a_block_that_is_not_there_is_refused(small: Loaded, layer: int) -> None:
    with pytest.raises(NoSuchBlock, match="has 2 blocks"):
        model_blocks.find(small.model, layer=layer)


def test_where_no_layer_is_known_the_sentence_names_those_there_are(small: Loaded) -> None:
    from torch import nn

    odd = nn.Module()
    odd.trunk = nn.ModuleList([nn.ModuleDict({"squeeze": nn.Linear(3, 2)}) for _ in range(2)])
    with pytest.raises(UnknownModule, match=r"--module.*trunk\.1\.squeeze"):
        model_blocks.find(odd)
    assert model_blocks.find(odd, module="trunk.1.squeeze").attention == ()
    with pytest.raises(UnknownModule, match=r"model\.layers\.1\.mlp\.down_proj"):
        model_blocks.find(small.model, module="model.norm")


def test_weights_that_are_stored_the_other_way_round_are_turned(tmp_path: Path) -> None:
    turned = loaded(tmp_path, gpt2(width=7))
    places = model_blocks.find(turned.model)
    assert (places.name, places.transposed) == ("transformer.h.1.mlp.c_proj", True)
    sums = row_sums(forward_passes.rows_of(places, 3))
    stored = places.layer.weight.detach().numpy()
    assert stored.shape == (28, 7)
    np.testing.assert_allclose(sums[0], np.abs(stored[:, :3]).sum(axis=1), rtol=1e-6)
    (seen,) = forward_passes.read(turned, places, TEXTS[:1], "last", HERE)
    assert seen.hidden.shape == (7,)
    assert scores(stored.T, seen.inputs).shape == (7, 28)


@pytest.mark.parametrize(
    ("kind", "name", "blocks"),
    [
        ("Qwen2", "model.layers.1.mlp.down_proj", 2),
        ("Glm4", "model.layers.1.mlp.down_proj", 2),
        ("GPTNeoX", "gpt_neox.layers.1.mlp.dense_4h_to_h", 2),
        ("OPT", "model.decoder.layers.1.fc2", 2),
        ("Phi", "model.layers.1.mlp.fc2", 2),
    ],
)
def test_architectures_differ_in_their_names(kind: str, name: str, blocks: int) -> None:
    import transformers

    config = getattr(transformers, f"{kind}Config")(
        vocab_size=16,
        hidden_size=8,
        intermediate_size=12,
        ffn_dim=12,
        word_embed_proj_dim=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=4,
        pad_token_id=0,
    )
    places = model_blocks.find(getattr(transformers, f"{kind}ForCausalLM")(config))
    assert (places.name, len(places.attention)) == (name, blocks)


def test_a_device_that_is_not_there_is_refused(tmp_path: Path) -> None:
    llama().save_pretrained(tmp_path)
    save_tokeniser(tmp_path, ["a"])
    with pytest.raises(CannotRun, match="on cuda:99"):
        model_loader.load(Source(str(tmp_path), device="cuda:99"))
