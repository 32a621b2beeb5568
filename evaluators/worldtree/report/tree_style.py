"""What drawn trees look like: their style, and the marks of what a walk comes to at a node."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

_LIGHT: Final = {
    "ink": "#1d2528", "muted": "#5c686c", "line": "#b9bfbd", "card": "#ffffff",
    "achieved": "#1f7a3a", "partly": "#9a6700", "not": "#b02a37", "flow": "#7fa6bd",
}  # fmt: skip
_DARK: Final = {
    "ink": "#e6e9e6", "muted": "#9aa7aa", "line": "#4c585c", "card": "#1b2225",
    "achieved": "#6fcf86", "partly": "#e5b64c", "not": "#ff8f8f", "flow": "#4f7d98",
}  # fmt: skip
_RULES: Final = (
    ".wt{{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC',"
    "'Microsoft YaHei','Noto Sans CJK SC','Noto Sans SC','Source Han Sans SC',sans-serif}}"
    ".wt.alone{{background:{card}}}.wt text{{fill:{ink};font-size:13px}}.wt .id{{font-weight:650}}"
    ".wt .small{{fill:{muted};font-size:11px}}"
    ".wt .edge{{fill:none;stroke:{line}}}.wt .flow{{fill:none;stroke:{flow}}}"
    ".wt .never{{fill:none;stroke:{line};stroke-dasharray:2 3}}"
    ".wt .halo{{paint-order:stroke;stroke:{card};stroke-width:3px;stroke-linejoin:round}}"
    ".wt .back{{fill:{card}}}.wt .node{{fill:{card};stroke:{ink};stroke-width:1.5px}}"
    ".wt .achieved{{fill:{achieved}}}.wt .partly{{fill:{partly}}}.wt .not{{fill:{not}}}"
    ".wt .open{{fill:{card};stroke:{muted};stroke-width:1.5px}}"
    ".wt .cut{{fill:none;stroke:{card};stroke-width:2px;stroke-linecap:round;"
    "stroke-linejoin:round}}"
    ".wt .mark{{fill:{muted};font-size:11px;font-weight:650;text-anchor:middle}}"
)
STYLE: Final = (
    _RULES.format_map(_LIGHT)
    + "@media screen and (prefers-color-scheme:dark){"
    + _RULES.format_map(_DARK)
    + "}"
)
"""What every drawn tree needs: in a page once, in a file beside it. Colours stand in it as they
are, for programs that know no variables."""

WORDS: Final = {
    "achieved": "goal achieved",
    "partly": "partly",
    "not": "not achieved",
    "unscored": "no goal given",
    "dead": "dead end",
}
"""Of what a walk comes to."""
SHAPES: Final = {
    "achieved": '<circle r="7" class="achieved"/><path d="M-3 0l2 3 4-6" class="cut"/>',
    "partly": '<path d="M0-8L8 0 0 8-8 0z" class="partly"/><path d="M-3 0h6" class="cut"/>',
    "not": '<rect x="-6.5" y="-6.5" width="13" height="13" class="not"/>'
    '<path d="M-3-3l6 6M3-3l-6 6" class="cut"/>',
    "unscored": '<circle r="7" class="open"/><text y="4" class="mark">?</text>',
    "dead": '<path d="M0-8L8 6-8 6z" class="open"/><text y="4.5" class="mark">!</text>',
    "": '<circle r="4.5" class="node"/>',
}
"""Of the same; empty: of a node where it goes on."""


def legend(kinds: Sequence[str] = tuple(WORDS)) -> list[tuple[Markup, str]]:
    """The marks of outcomes and what they mean, for a page."""
    return [
        (
            Markup(  # noqa: S704 - nothing in it is from a tree
                '<svg class="wt" viewBox="-10 -10 20 20" width="18" height="18" '
                f'aria-hidden="true">{SHAPES[kind]}</svg>'
            ),
            WORDS[kind],
        )
        for kind in kinds
    ]
