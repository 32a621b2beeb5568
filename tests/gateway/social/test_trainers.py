"""TRL's trainers take exported files as they are (`make trainers`)."""

from pathlib import Path
from typing import Any

import pytest

from actors.models.local.weights import file_of
from gateway.settings import read_settings
from tests.gateway.command import Desk
from tests.gateway.social.conftest import exported

trl = pytest.importorskip("trl", reason="the extra `trainers` is not installed: make trainers")
datasets = pytest.importorskip("datasets")
tokenizers = pytest.importorskip("tokenizers")
transformers = pytest.importorskip("transformers")

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

TEMPLATE = (
    "{% for one in messages %}<|{{ one.role }}|>{{ one.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked of a hub, nor kept."""
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def _tiny(folder: Path) -> None:
    """A model of some thousand weights that knows nothing, and a tokenizer of bytes."""
    names = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>"]
    bytes_ = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*bytes_, *names])}
    raw = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, merges=[]))
    raw.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = tokenizers.decoders.ByteLevel()
    raw.add_special_tokens(names)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, eos_token="<|end|>", pad_token="<|end|>", chat_template=TEMPLATE
    ).save_pretrained(folder)
    config = transformers.LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=8192,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)


def _local(folder: Path) -> None:
    """The small model of `make local`."""
    pytest.importorskip("gguf", reason="the extra `trainers` is not installed: make trainers")
    weights = file_of("local/smollm2", read_settings().models_dir)
    if not weights.is_file():
        pytest.skip(f"{weights} is not there: make local")
    where = {"pretrained_model_name_or_path": str(weights.parent), "gguf_file": weights.name}
    transformers.AutoTokenizer.from_pretrained(**where).save_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype="float32")
    model.hf_quantizer = None  # Its weights were unpacked as it was read.
    del model.config.quantization_config
    model.save_pretrained(folder)


@pytest.fixture(scope="module", params=[_tiny, _local], ids=["tiny", "smollm2"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with a model and its tokenizer."""
    folder = tmp_path_factory.mktemp("model")
    request.param(folder)
    return str(folder)


def dataset(folder: Path) -> Any:
    """The exported file, as TRL's users read it."""
    return datasets.load_dataset(
        "json", data_files=str(folder / "out.jsonl"), split="train", cache_dir=str(folder / "cache")
    )


def settings(folder: Path) -> dict[str, Any]:
    return {
        "output_dir": str(folder / "trained"),
        "max_steps": 1,
        "per_device_train_batch_size": 1,
        "report_to": "none",
        "use_cpu": True,
        "bf16": False,
        "save_strategy": "no",
    }


def test_sft_trainer_takes_chats(asked: Desk, asked_run: str, model: str) -> None:
    lines, _ = exported(asked, asked_run, "sft", "--filter", "goal=0", "--filter", "form=chat")
    config = trl.SFTConfig(**settings(asked.folder), max_length=None)
    trainer = trl.SFTTrainer(model, config, train_dataset=dataset(asked.folder))
    assert len(trainer.train_dataset) == len(lines)
    assert trainer.train().training_loss > 0
    # What is learned is the completion alone, with its end.
    batch = trainer.data_collator([trainer.train_dataset[0]])
    learned = [number for number in batch["labels"][0].tolist() if number != -100]
    said = trainer.processing_class.decode(learned)
    assert said.startswith(lines[0]["completion"][0]["content"])
    assert len(said) < len(lines[0]["completion"][0]["content"]) + 20


def test_dpo_trainer_takes_pairs(asked: Desk, asked_run: str, model: str) -> None:
    options = ("--filter", "margin=0.01", "--filter", "form=chat")
    lines, _ = exported(asked, asked_run, "pairs", *options)
    config = trl.DPOConfig(**settings(asked.folder), max_length=None)
    trainer = trl.DPOTrainer(model, args=config, train_dataset=dataset(asked.folder))
    assert len(trainer.train_dataset) == len(lines) > 0
    assert trainer.train().training_loss > 0
