"""A town of three houses, small enough to be counted by hand.

Ann's house and Bo's are left, the inn right; a cell of one tile below belongs to nobody's way.
The table of the inn stands on a solid tile, the bed of Ann on a free one.
"""

from actors.sandbox.map.grid import with_digest
from actors.sandbox.map.layers import layer_of
from actors.sandbox.map.town_map import TownMap

PLAN = [
    "#########..#########",
    "#aaa#bbb#..#iiiiiii#",
    "#aAa#bBb#..#iiiTTii#",
    "#aaa#bbb...#iiiiiii#",
    "##a##b##...#iiiiiii#",
    "..........diiiiiiii#",
    "...........#iiiiiii#",
    "####.......#kkkkiii#",
    "#.##.......#KkkkSii#",
    "####.......#########",
]

_ARENAS = {
    "a": "Ann's house:room",
    "A": "Ann's house:room",
    "b": "Bo's house:room",
    "B": "Bo's house:room",
    "d": "inn:door",
    "i": "inn:hall",
    "T": "inn:hall",
    "S": "inn:hall",
    "k": "inn:kitchen",
    "K": "inn:kitchen",
}
_OBJECTS = {"A": "bed", "B": "bed", "T": "table", "S": "stage", "K": "stove"}
_SOLID = "#TK"
_MARKS = {(1, 1): "Ann's house:room:a", (3, 1): "Ann's house:room:b"}


def small_town() -> TownMap:
    """The town as a value."""
    named = [[_ARENAS.get(sign, "") for sign in row] for row in PLAN]
    town = TownMap(
        id="small",
        world="Small",
        width=len(PLAN[0]),
        height=len(PLAN),
        solid=layer_of([["solid" if sign in _SOLID else "" for sign in row] for row in PLAN]),
        sectors=layer_of([[name.partition(":")[0] for name in row] for row in named]),
        arenas=layer_of(named),
        objects=layer_of([[_OBJECTS.get(sign, "") for sign in row] for row in PLAN]),
        spawns=layer_of(
            [[_MARKS.get((x, y), "") for x in range(len(row))] for y, row in enumerate(PLAN)]
        ),
    )
    return with_digest(town)
