"""Selects the response format of each model: from its specification, from what was found out by
asking, or from LiteLLM's list. If a model does not comply, a less strict format is used."""

import asyncio
from collections import Counter
from typing import Final, NamedTuple

import structlog
from cachetools import TTLCache

from actors.models.response_formats.formats import LOWER
from actors.models.response_formats.probe import ProbeResult
from events.base import replace
from events.minds import ModelSpec
from store.model_abilities import Ability, AnswerForm, ModelAbilities

log = structlog.get_logger(__name__)

BROKEN_IN_A_ROW: Final = 6
"""So many first answers in a row that do not hold to a form have the model asked in a lower one."""
LOOK_AGAIN_S: Final = 5.0
"""What another process has found out is noticed after so many seconds at the latest; each job asks,
and a look at the table costs as much as two turns."""
MOST_LOOKED_UP: Final = 10_000


class FormRecord(NamedTuple):
    """Which model of which server, whatever its parameters."""

    adapter: str
    base_url: str
    name: str


def account_of(spec: ModelSpec) -> FormRecord:
    """Whom a specification's requests go to."""
    return FormRecord(spec.adapter, spec.base_url, spec.name)


class Lowered(NamedTuple):
    """A model that is asked in a lower form from now on."""

    account: FormRecord
    before: AnswerForm
    now: AnswerForm
    why: str
    """A sentence."""


class AnswerForms:
    """What is known in a process. Lives on one event loop."""

    def __init__(self, abilities: ModelAbilities | None) -> None:
        """``abilities``: where it is remembered; None: as long as the process lasts."""
        self.lowered: list[Lowered] = []
        """The first first."""
        self._abilities = abilities
        self._known: dict[FormRecord, Ability] = {}
        self._looked_up: TTLCache[FormRecord, bool] = TTLCache(MOST_LOOKED_UP, LOOK_AGAIN_S)
        self._broken: Counter[FormRecord] = Counter()
        """First answers in a row that did not hold to the form."""

    async def load(self, spec: ModelSpec, *, again: bool = False) -> None:
        """Look up what is remembered of a model, where nothing is known of it; ``again``: or where
        another process may have found out more since."""
        account = account_of(spec)
        if self._abilities is None or (account in self._known and not again):
            return
        if account in self._looked_up:
            return
        found = await asyncio.to_thread(self._abilities.find, *account)
        self._looked_up[account] = True
        if found is not None and found.found_at > self.known_of(spec).found_at:
            self._known[account] = found

    def of(self, spec: ModelSpec, *, listed: bool) -> AnswerForm:
        """The form to ask a model in. ``listed``: whether its list says that it takes a schema."""
        if spec.structured_output is False:
            return "none"
        known = self._known.get(account_of(spec))
        found = known.form if known is not None else None
        if spec.structured_output:
            return "simple" if found == "simple" else "schema"
        return found or ("schema" if listed else "none")

    def known_of(self, spec: ModelSpec) -> Ability:
        account = account_of(spec)
        return self._known.get(account) or Ability(
            adapter=account.adapter, base_url=account.base_url, name=account.name
        )

    async def found(
        self, spec: ModelSpec, found: ProbeResult, *, context: int, again: bool
    ) -> None:
        """A model was asked. ``again``: remember when, even where it is what it was."""
        before = self.known_of(spec)
        now = replace(before, context=context)
        if found.form is not None:
            now = replace(now, form=found.form, why=found.why)
        if not found.sure:
            # For this process; the next probe looks again.
            self._known[account_of(spec)] = replace(now, found_at=0)
        elif again or now != before or not before.found_at:
            await self._know(spec, now)

    async def lower(
        self, spec: ModelSpec, form: AnswerForm, why: str, to: AnswerForm | None = None
    ) -> None:
        """Ask a model in a lower form than ``form`` (``to``, or the next), unless that was done
        meanwhile, or its specification says how it is asked."""
        account, before = account_of(spec), self.known_of(spec)
        now = to or LOWER.get(form)
        if spec.structured_output is not None or now is None or before.form not in (None, form):
            return
        log.warning("model_form_lowered", model=spec.name, before=form, now=now, why=why)
        self.lowered.append(Lowered(account, form, now, why))
        self._broken.pop(account, None)
        self._known[account] = lowered = replace(before, form=now, why=why)
        await self._know(spec, lowered)

    async def answered(self, spec: ModelSpec, form: AnswerForm, *, holds: bool) -> None:
        """A first answer came that was asked for in a form, and has it or has not."""
        account = account_of(spec)
        if self.known_of(spec).form not in (None, form):
            return  # it was lowered meanwhile
        if holds:
            self._broken.pop(account, None)
            return
        self._broken[account] += 1
        if self._broken[account] >= BROKEN_IN_A_ROW:
            why = f"{BROKEN_IN_A_ROW} first answers in a row did not hold to the form"
            # One without bounds would not hold it any better.
            await self.lower(spec, form, why, to="json" if form == "schema" else None)

    async def _know(self, spec: ModelSpec, now: Ability) -> None:
        account = account_of(spec)
        self._known[account] = now
        if self._abilities is not None:
            self._known[account] = await asyncio.to_thread(self._abilities.remember, now)
