"""Tiny models with random weights, and a tokeniser of the words they are asked to read."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def save_tokeniser(folder: Path, texts: Iterable[str]) -> None:
    """One that knows these texts' words and signs, with marks at both ends."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    split = pre_tokenizers.BertPreTokenizer()
    words = {word for text in texts for word, _ in split.pre_tokenize_str(text)}
    vocabulary = {word: at for at, word in enumerate(["<s>", "</s>", "<unk>", *sorted(words)])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    made.pre_tokenizer = split
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]
    )
    given = PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )
    given.save_pretrained(folder)


def llama(**changed: Any) -> Any:
    """Two layers; 16 wide, 24 within."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    given = {
        "vocab_size": 120,
        "hidden_size": 16,
        "intermediate_size": 24,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "bos_token_id": 0,
        "eos_token_id": 1,
    }
    return LlamaForCausalLM(LlamaConfig(**given | changed))


def gpt2(width: int = 7) -> Any:
    """Two layers whose weights are stored the other way round."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=120,
            n_embd=width,
            n_head=1,
            n_layer=2,
            n_positions=64,
            bos_token_id=0,
            eos_token_id=1,
        )
    )
