"""All kinds of input, by name."""

from tests.fuzz.answers import Answers, Replies
from tests.fuzz.files import Catalogs, Judges, Keywords, People, Plans, Published, WorldTrees
from tests.fuzz.games import Games
from tests.fuzz.outside import Arguments, Environments
from tests.fuzz.playing import Kind
from tests.fuzz.stored import Imports, Logs, Reports
from tests.fuzz.wire import Commands, Jobs

_ALL: tuple[type[Kind], ...] = (
    *(Plans, Judges, Catalogs, Published, WorldTrees, People, Keywords, Imports, Logs, Reports),
    *(Games, Answers, Replies, Environments, Arguments, Commands, Jobs),
)
KINDS = {one.name: one for one in _ALL}
