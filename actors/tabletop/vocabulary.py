"""The environment's words."""

from typing import Final

from actors.tabletop.catalog_items import Catalog
from actors.tabletop.setup import AskLearned, Move, Played, Recalled, Session, Settings
from events.environments import Vocabulary

VOCABULARY: Final = Vocabulary(
    setups=(Session,),
    settings=(Settings,),
    questions=(Move, AskLearned),
    actions=(Played, Recalled),
    catalogs=(Catalog,),
)
