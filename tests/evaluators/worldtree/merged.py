"""The forms in which SocialEval publishes its trees and questions together, made of the files that
hold one tree each: a list of entries with ``cn_data`` or ``en_data``. Nothing here goes through the
importer, which is what they are for."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Raw = Mapping[str, Any]


def side_of(name: str) -> str:
    """The key of an entry for a tree's file."""
    return "cn_data" if "_cn_" in name else "en_data"


def merged_trees(files: Mapping[str, Raw]) -> list[dict[str, Any]]:
    """An entry a tree, by its file's name."""
    return [{"data_id": name, side_of(name): tree} for name, tree in files.items()]


def merged_samples(files: Mapping[str, Raw]) -> list[dict[str, Any]]:
    """An entry a question, in the files' order: of every option with a question, what the published
    program reads of it. ``data_id``: from 0."""
    found = [(side_of(name), sample) for name, tree in files.items() for sample in _samples(tree)]
    return [{"data_id": number, side: sample} for number, (side, sample) in enumerate(found)]


def _samples(tree: Raw) -> Iterator[dict[str, Any]]:
    nodes = {node["cid"]: node for node in reversed(tree["interactive_plot"])}
    ways = _ways(nodes)
    for node in tree["interactive_plot"]:
        if node["cid"] not in ways:
            continue
        for option in node.get("choices", []):
            asked = [one for one in option["confusion"] if one["type"] == "skill question"]
            wrong = [one for one in option["confusion"] if one["type"] == "skill confusion"]
            if asked and option["type"] == "skill choice":
                lines = [("skill choice", option["content"])]
                lines += [("confusion", one["content"]) for one in wrong]
                question = {
                    "text": " ".join(asked[0]["question"]).replace("#question#", ""),
                    "skills": option.get("skill") or asked[0].get("skill") or [],
                }
                yield {
                    "profile": tree["predefined_profiles"],
                    "content": [
                        line
                        for cid in ways[node["cid"]]
                        for line in nodes[cid].get("dialog", [])
                        if "content" in line
                    ],
                    "question": question,
                    "choices": [{"type": kind, "content": _text(line)} for kind, line in lines],
                }


def _text(line: Any) -> str:
    first = line[0] if isinstance(line, list) else line
    return first.get("content") or ""


def _ways(nodes: Mapping[int, Raw]) -> dict[int, Sequence[int]]:
    ways: dict[int, Sequence[int]] = {0: (0,)}
    open_ = deque([0])
    while open_:
        at = open_.popleft()
        for option in nodes[at].get("choices", []):
            if option["cid"] in nodes and option["cid"] not in ways:
                ways[option["cid"]] = (*ways[at], option["cid"])
                open_.append(option["cid"])
    return ways
