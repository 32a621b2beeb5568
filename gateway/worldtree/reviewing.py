"""Sheets by which a reader accepts or refuses what was translated, passage by passage."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from actors.worldtree.translating.rules import Desk
from actors.worldtree.translating.sight import in_words
from actors.worldtree.tree import Language, Line
from evaluators.label_sheet import BadSheet
from evaluators.plain_tables import csv_text
from events.base import Value
from events.harmless import shortened
from events.limits import MOST_TABLE_LINE
from store.atomic_files import atomic_write
from store.bounded_lines import LineTooLong, bounded_lines

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
    refusals: tuple[Reviewed, ...]

    @property
    def rate(self) -> float | None:
        """Accepted of those decided; None: nothing is decided."""
        decided = self.accepted + self.rejected
        return self.accepted / decided if decided else None


def write_review(tree: Path, episode: str, desk: Desk) -> tuple[Path | None, bool]:
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
    """All rows of some sheets. Raises ``BadSheet``: file, line, and what would be right."""
    found: dict[tuple[str, int], Reviewed] = {}
    for path in paths:
        for line, one in _read(path):
            if (one.episode, one.scene) in found:
                raise BadSheet(path, line, "this passage stands in a row before; once is right")
            found[one.episode, one.scene] = one
    return list(found.values())


def review_of(rows: Sequence[Reviewed]) -> Review:
    """The rows, counted."""
    counts = Counter(one.verdict for one in rows)
    return Review(
        accepted=counts["accept"],
        rejected=counts["reject"],
        undecided=counts[""],
        refusals=tuple(one for one in rows if one.verdict == "reject"),
    )


def _rows(episode: str, desk: Desk) -> Iterator[Sequence[object]]:
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
    for was, name in names.items():
        whole = was in text if _HAN.search(was) else re.search(rf"\b{re.escape(was)}\b", text)
        if whole and len(was) > 1 and name not in translation:
            return f"{shortened(was, 40)} is {shortened(name, 40)} in the glossary"
    return ""


def _episode_in(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            row = next(csv.DictReader(bounded_lines(file, MOST_TABLE_LINE)), {})
    except (csv.Error, LineTooLong, UnicodeDecodeError):
        return ""
    return str(row.get("episode") or "")


def _read(path: Path) -> Iterator[tuple[int, Reviewed]]:
    # Spreadsheets put a mark before the first word.
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(bounded_lines(file, MOST_TABLE_LINE))
        try:
            if missing := {"episode", "scene", "verdict"} - set(rows.fieldnames or ()):
                names = ", ".join(sorted(missing))
                raise BadSheet(path, 1, f"the first line has to name the columns {names}, too")
            for row in rows:
                yield rows.line_num, _reviewed(row, path, rows.line_num)
        except (csv.Error, LineTooLong, UnicodeDecodeError) as error:
            raise BadSheet(path, rows.line_num + 1, f"cannot be read as CSV ({error})") from error


def _reviewed(row: Mapping[str, str | None], path: Path, line: int) -> Reviewed:
    episode, scene = (row["episode"] or "").strip(), (row["scene"] or "").strip()
    verdict = VERDICTS.get((row["verdict"] or "").strip().casefold())
    if not episode:
        raise BadSheet(path, line, "a row needs its episode, as the sheet was written")
    if scene != "names" and not (scene.isdecimal() and scene.isascii() and len(scene) < 7):
        raise BadSheet(path, line, f"a scene is a number or names, not {shortened(scene)!r}")
    if verdict is None:
        given = shortened(row["verdict"] or "")
        raise BadSheet(path, line, f"a verdict is accept or reject, not {given!r}")
    number = NAMES if scene == "names" else int(scene)
    comment = (row.get("comment") or "").strip()
    return Reviewed(episode=episode, scene=number, verdict=verdict, comment=comment)
