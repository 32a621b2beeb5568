"""Files for trainers of models, made of social episodes and their scores."""

from typing import Final

from events.lazy_function import LazyFunction
from gateway.services.files.run_formats import RunFormat

FORMATS: Final = {
    name: RunFormat(
        about=about,
        suffix=f"-{name}.jsonl",
        write=LazyFunction(f"gateway.social.training_files.export:write_{name}"),
    )
    for name, about in (
        ("sft", "prompts and actions of seats that did well"),
        ("rewards", "prompts and actions with what each was worth"),
        ("pairs", "two actions for one prompt, of judged forks"),
    )
}
"""What the entry point names."""
