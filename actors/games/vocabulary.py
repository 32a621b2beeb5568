"""The environment's words."""

from typing import Final

from actors.games.catalog_items import Catalog
from actors.games.setup import Consequences, Deal, Decide, GameAct, Settings
from events.environments import Vocabulary

VOCABULARY: Final = Vocabulary(
    setups=(Deal,),
    settings=(Settings,),
    questions=(Decide,),
    actions=(GameAct,),
    changes=(Consequences,),
    catalogs=(Catalog,),
)
