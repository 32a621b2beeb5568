"""How alike two lines are by their words alone, for the offline judge."""

from actors.text.stems import content_stems
from actors.worldtree.trees.tree import Language


def alike(first: str, second: str, language: Language) -> float:
    """Of the words that say something, in Chinese of the pairs of characters, of the line that has
    fewer: the share that the other has, too, 0 to 1."""
    one, other = _parts(first, language), _parts(second, language)
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0


def _parts(text: str, language: Language) -> frozenset[str]:
    if language == "en":
        return content_stems(text)
    together = "".join(one for one in text if one.isalnum())
    return frozenset(together[at : at + 2] for at in range(len(together) - 1))
