"""How models mark what they think, by family. What marks an answer, or a call of a tool, is not
here: ``actors.models.replies.thoughts`` looks for thoughts alone.

Names are as chat templates and the parsers of servers have them (vLLM's are in the folder
``vllm/reasoning`` of vllm-project/vllm, mlx-lm's in ``mlx_lm/tokenizer_utils.py`` of
ml-explore/mlx-lm).
"""

from typing import Final, Literal, NamedTuple

Kind = Literal["tag", "word", "mark", "phrase"]


class Marks(NamedTuple):
    """What stands around a thought."""

    family: str
    opens: str
    closes: str
    kind: Kind
    """``tag``: ``<name>`` and ``</name>``, in any of the forms that tags are written in.
    ``word``: such a tag whose name people use, too. ``mark``: just this text. ``phrase``: words
    that are a thought's only where the reply begins with the first and has the second."""
    source: str
    templated: bool = True
    """A chat template has it, and may begin the thought in the prompt."""


_BY_PROMPT: Final = "models that were asked for it by prompt"
_NO_TEMPLATE: Final = "no template: prompts that ask for it"


def _tag(
    name: str, family: str, source: str, kind: Kind = "tag", *, templated: bool = True
) -> Marks:
    return Marks(family, f"<{name}>", f"</{name}>", kind, source, templated)


def _asked(name: str, kind: Kind = "tag") -> Marks:
    return _tag(name, _BY_PROMPT, _NO_TEMPLATE, kind, templated=False)


TABLE: Final = (
    _tag(
        "think",
        "DeepSeek R1 and V3, Qwen3, QwQ, GLM 4.5, Kimi K2, MiniMax M1 and M2, Hunyuan A13B, "
        "Nemotron, Phi-4-reasoning, EXAONE 4, Granite 3.3, Magistral 2506, Ernie 4.5, Step 3, "
        "Olmo 3, OpenThinker 2",
        "vLLM: deepseek_r1, qwen3, glm4_moe, kimi_k2, minimax_m2, hunyuan_a13b, nemotron_v3, "
        "exaone4, ernie45, step3, olmo3 reasoning parsers; the models' chat templates",
    ),
    Marks(
        "Kimi VL", "◁think▷", "◁/think▷", "mark", "the chat template of Kimi-VL-A3B-Thinking-2506"
    ),
    Marks(
        "Solar Open, Phi",
        "<|think|>",
        "<|/think|>",
        "mark",
        "no template known; prompts that ask for it",
    ),
    _tag("thinking", "Claude by prompt, QwQ by prompt", "Anthropic: let Claude think (guide)"),
    _tag("antThinking", "Claude", "system prompts of claude.ai that Anthropic's artifacts had"),
    _tag("thought", "EXAONE Deep, Marco-o1, Gemini by prompt", "their model cards"),
    _asked("thoughts"),
    _asked("reasoning"),
    _tag("reflection", "Reflection 70B", "its model card"),
    _tag("scratchpad", _BY_PROMPT, "Anthropic's cookbook", templated=False),
    _asked("inner_monologue"),
    _asked("thinking_process"),
    _asked("cot", "word"),
    _tag("mm:think", "MiniMax M3", "vLLM: minimax_m3_reasoning_parser"),
    _tag("longcat_think", "LongCat Flash Thinking", "its model card; vLLM: longcat; mlx-lm"),
    _tag("think:opensource", "Hunyuan 3", "mlx-lm: THINK_TOKENS"),
    _tag("seed:think", "Seed-OSS", "vLLM: seedoss_reasoning_parser"),
    _tag("seed:cot_budget_reflect", "Seed-OSS", "the chat template of Seed-OSS-36B-Instruct"),
    _tag("ifm|think", "K2 Horizon", "vLLM: k2_horizon_reasoning_parser"),
    _asked("reason", "word"),
    _asked("analysis", "word"),
    Marks("Magistral", "[THINK]", "[/THINK]", "mark", "vLLM: mistral_reasoning_parser"),
    Marks(
        "Command R7B, Command A Reasoning",
        "<|START_THINKING|>",
        "<|END_THINKING|>",
        "mark",
        "vLLM: cohere_command_reasoning_parser; llama.cpp: COMMON_CHAT_FORMAT_COMMAND_R7B",
    ),
    Marks(
        "OpenThinker, Sky-T1",
        "<|begin_of_thought|>",
        "<|end_of_thought|>",
        "mark",
        "the system prompt of NovaSky-AI/SkyThought",
    ),
    Marks("Gemma 4", "<|channel>thought", "<channel|>", "mark", "vLLM: gemma4_reasoning_parser"),
    Marks(
        "MedGemma",
        "<unused94>",
        "<unused95>",
        "mark",
        "google-health/medgemma: notebooks/quick_start_with_hugging_face.ipynb",
    ),
    Marks(
        "Apertus", "<|inner_prefix|>", "<|inner_suffix|>", "mark", "vLLM: apertus_reasoning_parser"
    ),
    Marks("openPangu", "[unused16]", "[unused17]", "mark", "vLLM: pangu_reasoning_parser"),
    Marks(
        "Granite 3.2",
        "Here is my thought process:",
        "Here is my response:",
        "phrase",
        "its chat template; vLLM: granite_reasoning_parser",
    ),
    Marks(
        "gpt-oss (harmony)",
        "<|channel|>analysis<|message|>",
        "<|end|>",
        "mark",
        "openai/harmony: docs/format.md",
    ),
    Marks(
        "gpt-oss whose special tokens were left out",
        "analysis",
        "assistantfinal",
        "phrase",
        "openai/harmony: docs/format.md, decoded without special tokens",
    ),
)
