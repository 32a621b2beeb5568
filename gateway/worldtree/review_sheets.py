"""Sheets by which a reader accepts or refuses what was translated, passage by passage."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from actors.csv_file import CsvRow, read_rows
from actors.toml_file import BadFile
from actors.worldtree.translation.rules import TranslationState
from actors.worldtree.translation.sight import in_words
from actors.worldtree.trees.tree import Language, Line
from evaluators.tables.plain_tables import csv_text
from events.base import Value
from events.untrusted.safe_text import shortened
from store.files.atomic_files import atomic_write

Verdict = Literal["accept", "reject", ""]
COLUMNS: Final = (
    *("episode", "scene", "node", "text", "translation", "look", "verdict", "comment"),
)
"""``scene`` is the passage's number, ``names`` for the glossary; ``look``: what a program found
odd. ``verdict`` is filled in; with a refusal, ``comment`` tells the translator why."""
NAMES: Final = -1
"""The glossary's number."""
PAPER: Final = 0.97
"""The acceptance rate that SocialEval reports of its own translations."""
VERDICTS: Final[Mapping[str, Verdict]] = {
    **dict.fromkeys(("accept", "accepted", "yes", "ok", "1", "接受", "通过"), "accept"),
    **dict.fromkeys(("reject", "rejected", "refuse", "no", "0", "拒绝", "不通过"), "reject"),
    "": "",
}
"""What may stand under ``verdict``, in any case."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z]{3,}")


class Reviewed(Value, frozen=True, kw_only=True):
    """What a reader said of a passage."""

    episode: str
    scene: int
    """``NAMES``: the glossary."""
    verdict: Verdict
    comment: str = ""


class Review(Value, frozen=True, kw_only=True):
    """What readers said of a translation, or of several."""

    accepted: int
    rejected: int
    undecided: int
    rate: float | None
    """Accepted of those decided; None: nothing is decided."""
    refusals: tuple[Reviewed, ...]


def write_review(tree: Path, episode: str, desk: TranslationState) -> tuple[Path | None, bool]:
    """A sheet of all that this episode translated, beside the tree's file; and whether it was there
    already: then it is left as it is. Another translation's is never written over."""
    rows = list(_rows(episode, desk))
    if not rows:
        return None, False
    number = 1
    while True:
        ending = "-review.csv" if number == 1 else f"-review-{number}.csv"
        path = tree.with_name(f"{tree.stem}{ending}")
        if not path.exists():
            break
        if _episode_in(path) == episode:
            return path, True
        number += 1
    with (
        atomic_write(path) as unfinished,
        unfinished.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    return path, False


def read_reviews(paths: Sequence[Path]) -> list[Reviewed]:
    """All rows of some sheets. Raises ``BadFile``: file, line, and what would be right."""
    found: dict[tuple[str, int], Reviewed] = {}
    for path in paths:
        for row in read_rows(path, ("episode", "scene", "verdict")):
            one = _reviewed(row, path)
            if (one.episode, one.scene) in found:
                why = "this passage stands in a row before; once is right"
                raise BadFile(path, row.where, why)
            found[one.episode, one.scene] = one
    return list(found.values())


def review_of(rows: Sequence[Reviewed]) -> Review:
    """The rows, counted."""
    counts = Counter(one.verdict for one in rows)
    decided = counts["accept"] + counts["reject"]
    return Review(
        accepted=counts["accept"],
        rejected=counts["reject"],
        undecided=counts[""],
        rate=counts["accept"] / decided if decided else None,
        refusals=tuple(one for one in rows if one.verdict == "reject"),
    )


def _rows(episode: str, desk: TranslationState) -> Iterator[Sequence[object]]:
    kept = {one.scene for one in desk.setup.kept}
    if not desk.setup.names and desk.glossary:
        both = desk.glossary.items()
        were, are = "\n".join(was for was, _ in both), "\n".join(name for _, name in both)
        yield episode, "names", "", csv_text(were), csv_text(are), "", "", ""
    for number, (passage, lines) in enumerate(
        zip(desk.script.passages, desk.passages, strict=True)
    ):
        if number in kept or not lines:
            continue
        pieces = [Line(role=piece.role, text=piece.text) for piece in passage.pieces]
        odd = [
            f"text {place}: {why}"
            for place, (piece, line) in enumerate(zip(pieces, lines, strict=True), 1)
            if (why := oddity(piece.text, line.text, desk.glossary, desk.setup.to))
        ]
        yield (
            episode,
            number,
            "" if passage.node is None else passage.node,
            csv_text(in_words(pieces)),
            csv_text(in_words(lines)),
            csv_text("; ".join(odd)),
            "",
            "",
        )


def oddity(text: str, translation: str, names: Mapping[str, str], to: Language) -> str:
    """What a reader should look at: words of the other language that are left, a name that is not
    called as the glossary says. Empty: nothing that a program could see."""
    left = translation
    for name in names.values():
        left = left.replace(name, "")
    if to == "en" and (han := _HAN.search(left)):
        return f"Chinese is left ({shortened(left[han.start() :], 20)})"
    if to == "zh" and not _HAN.search(translation) and _WORD.search(left):
        return "no Chinese in it"
    for was, name in sorted(names.items(), key=lambda pair: -len(pair[0])):
        said = re.escape(was) if _HAN.search(was) else rf"\b{re.escape(was)}\b"
        # Taken out, so that a short name is not found in a longer one.
        text, found = re.subn(said, " ", text)
        if found and len(was) > 1 and name not in translation:
            return f"{shortened(was, 40)} is {shortened(name, 40)} in the glossary"
    return ""


def _episode_in(path: Path) -> str:
    try:
        return next((row.fields["episode"] for row in read_rows(path, ("episode",))), "")
    except BadFile:
        return ""


def _reviewed(row: CsvRow, path: Path) -> Reviewed:
    episode, scene = row.fields["episode"], row.fields["scene"]
    verdict = VERDICTS.get(row.fields["verdict"].casefold())
    if not episode:
        raise BadFile(path, row.where, "a row needs its episode, as the sheet was written")
    if scene != "names" and not (scene.isdecimal() and scene.isascii() and len(scene) < 7):
        why = f"a scene is a number or names, not {shortened(scene)!r}"
        raise BadFile(path, row.where, why)
    if verdict is None:
        why = f"a verdict is accept or reject, not {shortened(row.fields['verdict'])!r}"
        raise BadFile(path, row.where, why)
    number = NAMES if scene == "names" else int(scene)
    comment = row.fields.get("comment", "")
    return Reviewed(episode=episode, scene=number, verdict=verdict, comment=comment)
