"""The environment's words."""

from typing import Final

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.setup import Choose, Chose, Inquiry, NoChoice, Settings, Stepped, Walk
from events.environments import Vocabulary

VOCABULARY: Final = Vocabulary(
    setups=(Walk, Inquiry),
    settings=(Settings,),
    questions=(Choose,),
    actions=(Chose, NoChoice),
    changes=(Stepped,),
    catalogs=(Catalog,),
)
