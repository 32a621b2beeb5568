"""The environment's words."""

from typing import Final

from actors.sandbox.catalog_items import Catalog
from actors.sandbox.setup import (
    Act,
    CarryOn,
    Case,
    Happened,
    Idle,
    Recap,
    Say,
    Settings,
    TalkTo,
    Told,
    Town,
    WhatToDo,
    WhatToSay,
    WhatWasAgreed,
)
from events.environments import Vocabulary

VOCABULARY: Final = Vocabulary(
    setups=(Town, Case),
    settings=(Settings,),
    questions=(WhatToDo, WhatToSay, WhatWasAgreed),
    actions=(Act, CarryOn, TalkTo, Say, Recap, Idle),
    changes=(Happened, Told),
    catalogs=(Catalog,),
)
