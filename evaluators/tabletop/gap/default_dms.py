"""The virtual game master that is used where no file names one."""

from importlib.util import find_spec
from typing import Final

from evaluators.tabletop.gap.procedure import DMKind
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from events.lazy_function import LazyFunction

LEXICON: Final = DMKind("lexicon", lambda _seed: LexiconDM(), LexiconDM)
"""It learns nothing, so D_0, D_g and D_r are the same."""
THE_LEXICON: Final = "the lexicon"
LINEAR: Final = DMKind(
    "linear",
    LazyFunction("evaluators.tabletop.virtual_dms.linear:LinearDM"),
    LexiconDM,
    THE_LEXICON,
)
"""Its D_0 is the lexicon: a linear model that has learned nothing says nothing."""
WITHOUT_LINEAR: Final = (
    "scikit-learn is not installed, so the virtual game master is the lexicon, which learns "
    "nothing and has no gap: `make app` installs what `linear` needs in a checkout, "
    "`pip install 'troupe-server[tabletop]'` elsewhere."
)


def default_dm() -> DMKind:
    """``linear``, or ``lexicon`` where scikit-learn is not installed."""
    return LINEAR if find_spec("sklearn") else LEXICON
