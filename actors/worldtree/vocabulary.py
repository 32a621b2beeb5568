"""The environment's words."""

from typing import Final

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.free_lines.setup import NoLine, WriteLine, Writing, Wrote
from actors.worldtree.setup import Choose, Chose, Inquiry, NoChoice, Settings, Stepped, Walk
from actors.worldtree.translation.setup import (
    Named,
    NameThem,
    NoTranslation,
    Render,
    Rendered,
    Translation,
)
from events.environments import Vocabulary

VOCABULARY: Final = Vocabulary(
    setups=(Walk, Inquiry, Writing, Translation),
    settings=(Settings,),
    questions=(Choose, WriteLine, NameThem, Render),
    actions=(Chose, NoChoice, Wrote, NoLine, Named, Rendered, NoTranslation),
    changes=(Stepped,),
    catalogs=(Catalog,),
)
