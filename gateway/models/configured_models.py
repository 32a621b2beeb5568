"""The models of a process, as its settings have them asked."""

from actors.models.local.settings import LocalSettings
from actors.models.registry import Models
from gateway.settings import Settings


def models_here(settings: Settings) -> Models:
    """They share connections; close it when the process ends."""
    reply_bytes = settings.tuning.most_reply_bytes
    return Models(most_reply_bytes=reply_bytes, local=local_settings(settings))


def local_settings(settings: Settings) -> LocalSettings:
    """How models run on this machine."""
    return LocalSettings(
        home=settings.data_dir / "local",
        weights=settings.models_dir,
        slots=settings.tuning.local_slots,
        context=settings.tuning.local_context,
        threads=settings.tuning.local_threads,
    )
