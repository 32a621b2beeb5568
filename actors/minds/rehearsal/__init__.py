"""The built-in offline mind: seeded, deterministic, without a language model."""

from actors.minds.rehearsal.mind import RehearsalMind, choose
from actors.minds.rehearsal.tempers import TEMPERS, Temper, UnknownTemper, temper_named

__all__ = ["TEMPERS", "RehearsalMind", "Temper", "UnknownTemper", "choose", "temper_named"]
