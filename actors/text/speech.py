"""Removes the speaker's name and quotation marks that models put around an utterance."""


def without_name(line: str, name: str) -> str:
    """A line without ``Name:`` before it, or quotation marks around it."""
    line = line.strip()
    for colon in (":", "："):
        head, found, rest = line.partition(colon)
        if found and head.strip() == name:
            line = rest.strip()
            break
    for left, right in (('"', '"'), ("“", "”"), ("「", "」")):
        inner = line[1:-1]
        if len(line) > 2 and line[0] == left and line[-1] == right:
            return line if left in inner or right in inner else inner.strip()
    return line
