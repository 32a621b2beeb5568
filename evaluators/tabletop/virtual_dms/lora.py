"""A virtual game master that is a language model on this machine, tuned by low-rank adaptation (Hu
et al. 2021): the turns in, the list of checks out, as text."""

import contextlib
import io
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from transformers.utils import logging

from actors.models.errors import Unreadable
from actors.models.port import Msg
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from evaluators.tabletop.virtual_dms.needed import CannotTune
from evaluators.tabletop.virtual_dms.port import (
    CannotLearn,
    NoPrediction,
    Progress,
    VirtualDM,
    data_hash,
    untold,
)
from evaluators.tabletop.virtual_dms.questions import answer_of, messages, reader
from events.serialization.codec import encode

if TYPE_CHECKING:
    from evaluators.tabletop.virtual_dms.dm_file import LoraFile

ADAPTATION: Final = "adapter_model.safetensors"
ANSWER: Final = 256
"""Tokens of the longest answer."""
_Taught = tuple[list[int], list[int]]
"""Tokens, and those that are to be learned; −100 stands for others."""
_SCALE: Final = 2.0
"""What the adaptation counts, beside its rank."""


class LoraDM(VirtualDM):
    """Learns in minutes on a GPU. Before it has, the model answers as it is."""

    _model: PreTrainedModel
    _tokeniser: PreTrainedTokenizerBase

    def __init__(self, file: "LoraFile", seed: int = 0, progress: Progress = untold) -> None:
        """The model is loaded when it is first needed. ``progress``: told of steps."""
        self._file, self._seed, self._progress = file, seed, progress
        self._loaded = False

    def fit(self, samples: Sequence[CallSample]) -> None:
        """Tune a fresh adaptation. Raises ``CannotTune``, and ``CannotLearn`` without samples."""
        if not samples:
            raise CannotLearn("there is nothing to learn from: no sample was given")
        file = self._file
        torch.manual_seed(self._seed)
        self._load()
        config = LoraConfig(
            r=file.rank,
            lora_alpha=_SCALE * file.rank,
            lora_dropout=0.0,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        )
        try:
            with _quietly():
                self._model = get_peft_model(self._model, config)
        except ValueError as error:
            raise CannotTune(file.model, error) from error
        texts = [self._taught(one) for one in sorted(samples, key=encode)]
        drawn = _endless(texts, self._seed)
        weights = [one for one in self._model.parameters() if one.requires_grad]
        optimizer = torch.optim.AdamW(weights, lr=file.rate)
        slower = torch.optim.lr_scheduler.LinearLR(
            optimizer, start_factor=1.0, end_factor=0.1, total_iters=file.steps
        )
        self._model.train()
        for step in range(file.steps):
            for _ in range(file.batch):
                # One after the other: turns differ much in length, and padding is computed, too.
                ids, labels = next(drawn)
                given = torch.tensor([ids], device=self._model.device)
                right = torch.tensor([labels], device=self._model.device)
                loss = self._model(input_ids=given, labels=right).loss / file.batch
                loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            slower.step()
            optimizer.zero_grad()
            self._progress(step + 1, file.steps)
        self._model.eval()
        self.trained_on = data_hash(samples)

    def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
        """What the model's likeliest answer says."""
        if not cast:
            return frozenset()
        if not self._loaded:
            self._load()
        ids = self._question(lines, cast)
        with torch.inference_mode():
            given = torch.tensor([ids], device=self._model.device)
            said = self._model.generate(
                input_ids=given,
                attention_mask=torch.ones_like(given),
                max_new_tokens=ANSWER,
                do_sample=False,
                pad_token_id=self._ends,
            )
        text = self._tokeniser.decode(said[0][len(ids) :], skip_special_tokens=True)
        try:
            return reader(cast)(text, "lora")
        except Unreadable as error:
            raise NoPrediction(str(error)) from error

    def save_adaptation(self, folder: Path) -> None:
        """Write what was learned, as safetensors with a configuration in JSON."""
        with _quietly():
            self._model.save_pretrained(str(folder), safe_serialization=True)

    def load_adaptation(self, folder: Path, trained_on: str) -> None:
        """Take what was learned before. Raises ``CannotTune``."""
        if not (folder / ADAPTATION).is_file():
            # Without, peft would read a pickle.
            raise CannotTune(str(folder), f"there is no {ADAPTATION} in it")
        self._load()
        try:
            with _quietly():
                self._model = PeftModel.from_pretrained(self._model, str(folder)).eval()
        except Exception as error:
            # Whatever the libraries raise for a folder that is not as it was written.
            raise CannotTune(str(folder), error) from error
        self.trained_on = trained_on

    @property
    def _ends(self) -> int:
        return int(self._tokeniser.eos_token_id or 0)

    def _load(self) -> None:
        """The model as it was before any adaptation. No code that comes with it is run, and nothing
        is downloaded."""
        path, more = Path(self._file.model), {}
        name = self._file.model
        if path.suffix == ".gguf":
            name, more = str(path.parent), {"gguf_file": path.name}
        where = {"local_files_only": True, "trust_remote_code": False, **more}
        device = self._file.device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            with _quietly():
                self._tokeniser = AutoTokenizer.from_pretrained(name, **where)
                model = AutoModelForCausalLM.from_pretrained(name, dtype=torch.float32, **where)
                self._model = model.to(device).eval()
                self._loaded = True
        except Exception as error:
            # Whatever the libraries raise for weights that are not there or not as they should be.
            raise CannotTune(self._file.model, error) from error

    def _taught(self, sample: CallSample) -> _Taught:
        """The tokens of a question and its answer; of the question no loss is counted (−100)."""
        ends = [self._ends]
        answer = [*self._tokens(answer_of(sample.labels)), *ends]
        question = self._question(sample.lines, sample.cast)
        return [*question, *answer], [*[-100] * len(question), *answer]

    def _question(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> list[int]:
        """The tokens of a question, without its oldest turns where it would be too long."""
        for first in range(len(lines) + 1):
            ids = self._tokens(self._written(messages("direct", lines[first:], cast)))
            if len(ids) + ANSWER <= self._file.length:
                return ids
        return ids[-max(1, self._file.length - ANSWER) :]

    def _written(self, told: Sequence[Msg]) -> str:
        """Messages as the model was taught to read them, or one below the other."""
        if self._tokeniser.chat_template:
            parts = [{"role": one.role, "content": one.content} for one in told]
            text: str = self._tokeniser.apply_chat_template(
                parts, add_generation_prompt=True, tokenize=False
            )
            return text
        return "\n\n".join(one.content for one in told) + "\n\n"

    def _tokens(self, text: str) -> list[int]:
        ids: list[int] = self._tokeniser(text, add_special_tokens=False)["input_ids"]
        return ids


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """The libraries without their own progress bars and warnings."""
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    with contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _endless(texts: Sequence[_Taught], seed: int) -> Iterator[_Taught]:
    """All of them in an order of their own each time, again and again."""
    order = np.random.default_rng(seed)
    while True:
        yield from [texts[place] for place in order.permutation(len(texts))]
