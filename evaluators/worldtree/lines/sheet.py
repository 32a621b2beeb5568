"""Sheets by which people mark which lines mean the same: a page for a browser, and a CSV.

A sheet says neither who wrote a line nor what a judge said of it, and its items stand in no telling
order.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

import msgspec

from actors.worldtree.render import beats
from actors.worldtree.trees.tree import Language
from evaluators.report.assets import script_digest
from evaluators.tables.plain_tables import csv_text
from evaluators.worldtree.lines.annotations import COLUMNS
from evaluators.worldtree.lines.items import LETTERS, Item
from events.ids import digest_of
from events.untrusted.safe_text import harmless

WORDS: Final[Mapping[Language, Mapping[str, str]]] = {
    "en": {
        "title": "Which lines mean the same?",
        "help": "How to mark",
        "intro": "You read a story up to a moment, then a line that somebody wrote for its "
        "protagonist. Mark every line below it that means the same: the same decision, offer, "
        "refusal, question or plan, to the same end. Wording, length and small details do not "
        "matter. Several may mean the same, or none.",
        "name": "Your name or a sign of yours",
        "needs_name": "Say who you are before you save: a name or any sign.",
        "story": "What had happened",
        "goal": "{name} wants: {goal}",
        "line": "The line",
        "same": "Which of these mean the same?",
        "none": "None of them",
        "comment": "Comment (you may leave it empty)",
        "previous": "Back",
        "next": "On",
        "open": "Next unmarked",
        "save": "Save as CSV",
        "progress": "Item {at} of {all}, {done} marked",
        "finished": "All are marked. Save them as CSV and send the file.",
        "kept": "What you mark is kept in this browser until you come back.",
        "not_kept": "This browser keeps nothing: save the CSV before you close the page.",
        "keys": "Keys: A, B, … or 1, 2, … mark a line, N or 0 none; Enter or → goes on, ← back, "
        "U to the next unmarked, S saves.",
        "no_script": "This page needs JavaScript. The CSV beside it can be filled in by any "
        "spreadsheet instead.",
    },
    "zh": {
        "title": "哪些话意思相同？",
        "help": "怎样标注",
        "intro": "请先读故事，再读有人为主人公写的一句话，然后勾选下面所有与它意思相同的话："
        "作出同样的决定、提议、拒绝、提问或打算，并且目的相同。措辞、长短和小的细节不重要。可以有几句相同，也可以一句都没有。",
        "name": "您的姓名或代号",
        "needs_name": "保存之前请写上姓名或代号。",
        "story": "之前发生的事",
        "goal": "{name}的目标：{goal}",
        "line": "写的话",
        "same": "哪些话与它意思相同？",
        "none": "都不相同",
        "comment": "备注（可以不写）",
        "previous": "上一条",
        "next": "下一条",
        "open": "下一条未标的",
        "save": "存为 CSV",
        "progress": "第 {at} 条，共 {all} 条，已标 {done} 条",
        "finished": "全部标完了。请存为 CSV 并把文件发回。",
        "kept": "您的标注保存在这个浏览器里，下次打开可以接着标。",
        "not_kept": "这个浏览器不保存内容：关闭页面之前请先存为 CSV。",
        "keys": "按键：A、B……或 1、2……勾选，N 或 0 表示都不相同；回车或 → 下一条，← 上一条，"
        "U 下一条未标的，S 保存。",
        "no_script": "此页需要 JavaScript。也可以用表格软件填写旁边的 CSV 文件。",
    },
}


def page(items: Sequence[Item], language: Language, name: str) -> str:
    """A page of its own, for any browser: nothing is fetched, and what is marked stays in the
    browser until it is saved. ``name``: how the CSV is called that it saves."""
    import jinja2

    script = _file("sheet.js")
    shown = [_shown(item) for item in items]
    data = {
        "items": shown,
        "words": WORDS[language],
        "letters": LETTERS,
        "file": name,
        "columns": COLUMNS,
        "key": f"troupe-lines-{digest_of(msgspec.json.encode(shown))}",
    }
    # Within a script nothing but the end of it means anything to a browser.
    encoded = harmless(msgspec.json.encode(data).decode()).replace("<", "\\u003c")
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(
        _file("sheet.html.j2")
    )
    return template.render(
        words=WORDS[language],
        lang="zh-CN" if language == "zh" else "en",
        digest=script_digest(script),
        style=_safe(_file("sheet.css")),
        script=_safe(script),
        data=_safe(encoded),
    )


def as_csv(items: Sequence[Item]) -> str:
    """The same for a spreadsheet; ``same`` is to be filled in with letters, or none."""
    most = max((len(item.candidates) for item in items), default=0)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*COLUMNS, "story", "goal", "line", *LETTERS[:most]])
    for item in items:
        shown = _shown(item)
        texts = ["\n".join(shown["story"]), shown["goal"], shown["line"], *shown["candidates"]]
        # Made safe for spreadsheets where one begins like a formula.
        writer.writerow([item.id, "", "", "", *map(csv_text, texts)])
    return out.getvalue()


def _shown(item: Item) -> dict[str, Any]:
    story = [item.scenario] * bool(item.scenario) + [*beats(item.before, item.language)]
    return {
        "id": item.id,
        "name": item.protagonist,
        "goal": item.goal,
        "story": story,
        "line": item.text,
        "candidates": [item.candidates[place] for place in item.order],
    }


def _file(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="utf-8")


def _safe(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - files of ours, and JSON in which no tag can begin
