"""Which seats of which episodes are for a trainer, as data: a TOML file, or options of a command.

The filters are those of SOTOPIA-π (Wang et al. 2024, section 3) and of its published code.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from actors.toml_file import BadFile, Table, read_table
from actors.toml_lines import line_of, lines_of
from actors.toml_text import NotToml, parsed
from events.untrusted.safe_text import shortened

Goal = Annotated[float, msgspec.Meta(ge=0, le=10)]
Count = Annotated[int, msgspec.Meta(ge=1)]
PARTNER_LEAST: Final = 6
"""What an expert's mean is taken for at least where a partner is compared with it."""
THRESHOLD: Final = 7
"""The goal score that is enough, where nothing else is said: the paper's."""
OPTION: Final = "--filter"


class Cloning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Behaviour cloning: a seat is taken where it did better than an expert usually does there."""

    expert: str
    """A mind's name. Its mean goal score on a scenario is what others are compared with."""
    enough: Goal = THRESHOLD
    """A goal score that is enough whatever the expert's is."""


class Filters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole file. Filters are applied in the order in which they stand here."""

    judge: str = ""
    """Whose goal scores count, by name or the beginning of its fingerprint; empty: there is one
    judge of goals."""
    include_hard: bool = False
    """Take scenarios of SOTOPIA-hard, too, which is for testing."""
    minds: tuple[str, ...] = ()
    """Only seats of these minds, by name; empty: of all."""
    goal: Goal | None = None
    """The least goal score of a seat; left out: 7 for ``sft``, unless ``cloning`` is there; none
    for others."""
    cloning: Cloning | None = None
    top: Count | None = None
    """So many of each seat of a scenario: the best by goal score, then by overall score."""
    top_share: Annotated[float, msgspec.Meta(gt=0, le=1)] | None = None
    """This share of all that are left: the best by overall score; SOTOPIA-π takes 0.7."""
    balance: bool = False
    """As many of each seat of a scenario: the best of the seat that has more."""
    prompt_tokens: Annotated[int, msgspec.Meta(ge=0)] = 2048
    """The longest prompt; of longer ones the oldest dialogue is left out. 0: any."""
    attribution: str = ""
    """Whose attributions make rewards, as ``judge``; empty: there is one such judge."""
    margin: Annotated[float, msgspec.Meta(gt=0, le=10)] = 1.0
    """By how much the goal scores of a pair differ at least."""
    form: Literal["plain", "chat"] = "plain"
    """``plain``: texts, by the published names; ``chat``: messages, as TRL's trainers take them."""

    def least_goal(self, export: str) -> float | None:
        """The least goal score for an export by its name; None: any."""
        if self.goal is None and self.cloning is None and export == "sft":
            return THRESHOLD
        return self.goal


def read_filters(path: Path | None, options: Sequence[str] = ()) -> Filters:
    """The filters of a file, changed by options ``KEY=VALUE``, whose values are TOML, or else
    texts: ``top=2``, ``cloning.expert=gpt-4``. Raises ``BadFile``: file or option, line, reason."""
    table = read_table(path) if path is not None else Table(OPTION, "", {})
    filters = _shaped(table)
    if not options:
        return filters
    data = dict(table.data)
    for option in options:
        data = _merged(data, _option(option))
    return _shaped(Table(OPTION, "\n".join(options), data))


def _shaped(table: Table) -> Filters:
    try:
        return table.shaped(Filters)
    except BadFile as error:
        lines = lines_of(table.text) if table.path != OPTION else {}
        place = next(_unknown(table.data), tuple(filter(None, error.where.split("."))))
        line = line_of(lines, place)
        where = ", ".join(filter(None, (f"line {line}" if line else "", error.where)))
        raise BadFile(table.path, where, error.why) from None


def _unknown(data: Mapping[str, object], *above: str) -> Iterator[tuple[str, ...]]:
    """The places of settings that there are not."""
    known = (Cloning if above else Filters).__struct_fields__
    for key, value in data.items():
        if key not in known:
            yield (*above, key)
        elif isinstance(value, dict):
            yield from _unknown(value, key)


def _option(option: str) -> dict[str, object]:
    """An option as a table."""
    key, sign, value = option.partition("=")
    if not sign or not key.strip():
        raise BadFile(OPTION, "", f"{option!r} is no KEY=VALUE, such as top=2")
    if set("\r\n") & set(option):
        why = "has more than one line; repeat the option for each filter, or use --filters FILE"
        raise BadFile(OPTION, "", f"{shortened(option)!r} {why}")
    try:
        return parsed(option)
    except NotToml:
        quoted = msgspec.json.encode(value.strip()).decode()
    try:
        return parsed(f"{key} = {quoted}")
    except NotToml as error:
        raise BadFile(OPTION, "", f"{option!r} cannot be read: {error.why}") from None


def _merged(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    both = {
        key: _merged(before, value)
        for key, value in other.items()
        if isinstance(value, dict) and isinstance(before := one.get(key), dict)
    }
    return {**one, **other, **both}
