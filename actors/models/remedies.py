"""Advice for people about models that give no answer: one sentence for each reason."""

from actors.models.errors import (
    CallFailed,
    FailureReason,
    ModelError,
    ModelUnavailable,
)
from actors.models.key_allow_list import PROVIDERS
from events.minds import ModelSpec
from events.untrusted.redacted_urls import without_secrets


def unavailable(spec: ModelSpec, error: ModelError, *, lasting: bool) -> ModelUnavailable:
    """The model as one that cannot be had, because of ``error``."""
    last = error.last if isinstance(error, CallFailed) else error
    return ModelUnavailable(
        spec.name,
        last.reason,
        last.detail,
        status=last.status,
        lasting=lasting,
        remedy=remedy(spec, last),
        what=last.what,
    )


def remedy(spec: ModelSpec, error: ModelError) -> str:
    """What to do, as the rest of a sentence."""
    if error.remedy:
        return error.remedy
    key = f"the key in {spec.api_key_env}" if spec.api_key_env else "its key"
    if error.reason == "rate_limited" and error.retry_after:
        return (
            f"wait {_duration(error.retry_after)} as the server asks, or lower the model's "
            "requests_per_minute or tokens_per_minute, and try again"
        )
    server = without_secrets(spec.base_url) or "its server"
    remedies: dict[FailureReason, str] = {
        "no_key": (
            f"set the environment variable {spec.api_key_env}, and try again"
            if spec.api_key_env
            else _usual_key(spec)
        ),
        "unauthorized": f"check {key}, and try again",
        "forbidden": f"see that {key} may use this model, and try again",
        "not_found": "check the model's name and base_url, and try again",
        "quota": "add credit to the account, or use another key, and try again",
        "rate_limited": "lower the model's requests_per_minute or tokens_per_minute, and try again",
        "server_error": f"wait until {server} is well again, and try again",
        "timeout": f"see that {server} answers, or raise timeout_s, and try again",
        "connection": f"see that {server} runs and can be reached from here, and try again",
        "too_long": "choose a model that takes more, or lower max_tokens",
        "filtered": "choose another model",
        "refused": "check the model's parameters in the plan",
        "other": "see the log for what happened, and try again",
    }
    return remedies[error.reason]


def _usual_key(spec: ModelSpec) -> str:
    provider = None if spec.base_url else PROVIDERS.get(spec.name.partition("/")[0])
    if provider is None:
        return "name the variable that holds its key as api_key_env, set it, and try again"
    variable = provider.variables[0]
    return f"set {variable} and try again (export {variable}=…)"


def _duration(seconds: float) -> str:
    if seconds < 600:
        return f"{seconds:,.0f} s"
    if seconds < 2 * 86_400:
        return f"{seconds / 60:,.0f} minutes"
    return f"{seconds / 86_400:,.0f} days"
