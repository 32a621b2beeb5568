"""Sentences on scores that are no findings: rehearsals and small models gave or earned them."""

from collections.abc import Iterator, Sequence


def no_findings(
    minds: Sequence[str] = (),
    judges: Sequence[str] = (),
    *,
    local_minds: Sequence[str] = (),
    local_judges: Sequence[str] = (),
) -> Iterator[str]:
    """What to think of scores in which rehearsals or local models had a part: no sentence, one or
    two."""
    if minds or judges:
        yield no_finding(minds, judges)
    if local_minds or local_judges:
        named = _named(local_minds, local_judges)
        what = "These scores check the machinery; they are not findings."
        yield f"Local model {named}: small, on this machine. {what}"


def no_finding(minds: Sequence[str], judges: Sequence[str]) -> str:
    """What to think of scores in which rehearsal minds or judges had a part."""
    return (
        f"Rehearsal {_named(minds, judges)}: fixed rules, no language model. These scores check "
        "the machinery; they are not findings."
    )


def _named(minds: Sequence[str], judges: Sequence[str]) -> str:
    parts = [
        f"{what}{'' if len(names) == 1 else 's'} {', '.join(names)}"
        for what, names in (("mind", minds), ("judge", judges))
        if names
    ]
    return " and ".join(parts)
