"""The built-in offline mind: seeded, deterministic, without a language model."""

from actors.social.rehearsal.mind import RehearsalMind, choose
from actors.social.rehearsal.tempers import TEMPERS, Temper, temper_named

__all__ = ["TEMPERS", "RehearsalMind", "Temper", "choose", "temper_named"]
