"""What generated towns are made of: names, premises with their rooms, and what people are like."""

from typing import Final, NamedTuple


class Room(NamedTuple):
    """An arena of some premises."""

    name: str
    objects: tuple[str, ...]


class Premises(NamedTuple):
    """Something public, with two rooms; where there are no walls, the rooms are parts of it."""

    name: str
    occupations: tuple[str, ...]
    rooms: tuple[Room, Room]
    walled: bool = True


KINDS: Final = (
    Premises(
        "cafe",
        ("cafe keeper", "cook", "waiter"),
        (
            Room("dining room", ("window tables", "long table", "counter", "newspaper rack")),
            Room("kitchen", ("stove", "sink", "larder")),
        ),
    ),
    Premises(
        "park",
        ("gardener", "park warden"),
        (
            Room("lawn", ("bench", "picnic table", "old tree", "notice board")),
            Room("playground", ("swings", "sand pit", "drinking fountain")),
        ),
        walled=False,
    ),
    Premises(
        "stores",
        ("grocer", "shop assistant"),
        (
            Room("shop floor", ("counter", "shelves", "fruit stand", "bulletin board")),
            Room("store room", ("pallets", "scales", "cold cabinet")),
        ),
    ),
    Premises(
        "school",
        ("teacher", "student", "librarian"),
        (
            Room("classroom", ("blackboard", "pupil desks", "lectern", "map")),
            Room("library", ("bookshelves", "reading table", "globe")),
        ),
    ),
    Premises(
        "workshop",
        ("joiner", "smith", "tailor", "painter"),
        (
            Room("workroom", ("workbench", "lathe", "tool wall", "easel")),
            Room("storage", ("timber rack", "paint shelf", "kiln")),
        ),
    ),
    Premises(
        "clinic",
        ("doctor", "nurse", "pharmacist"),
        (
            Room("waiting room", ("chairs", "leaflet rack", "reception desk", "fish tank")),
            Room("consulting room", ("couch", "medicine cabinet", "desk")),
        ),
    ),
)
HOUSE: Final = (
    ("common room", ("stove", "sink", "table", "sofa")),
    ("left bedroom", ("bed", "closet")),
    ("right bedroom", ("bed", "desk")),
)
"""The rooms of a house, the bedrooms last, and what stands in them."""

STREETS: Final = (
    *("Alder", "Barley", "Cooper", "Dove", "Elder", "Fern", "Glover", "Hazel", "Iron", "Juniper"),
    *(
        "Kiln",
        "Lime",
        "Maple",
        "Nettle",
        "Orchard",
        "Pepper",
        "Quince",
        "Rowan",
        "Saddler",
        "Thorn",
    ),
    *("Upper", "Violet", "Willow", "Yarrow"),
)
WAYS: Final = ("Lane", "Street", "Row", "Way", "Walk")
FIRST_NAMES: Final = (
    *("Adaeze", "Aiko", "Alma", "Amir", "Anouk", "Aron", "Bahar", "Beatriz", "Bruno", "Camille"),
    *("Chidi", "Dalia", "Davit", "Edda", "Eino", "Elif", "Emeka", "Farid", "Fiona", "Gita"),
    *("Goran", "Hana", "Henrik", "Ilse", "Imani", "Ivo", "Jaya", "Jonas", "Kaito", "Katja"),
    *("Kwame", "Lale", "Leif", "Lucia", "Mala", "Marek", "Mira", "Nadia", "Nils", "Odile"),
    *("Omar", "Pavel", "Priya", "Quentin", "Rania", "Renzo", "Rosa", "Samira", "Sefa", "Sven"),
    *("Tariq", "Tove", "Uma", "Vasco", "Vera", "Wanda", "Xenia", "Yusuf", "Zelda", "Zoran"),
)
LAST_NAMES: Final = (
    *("Abara", "Aydin", "Bakker", "Bianchi", "Castro", "Cohen", "Dahl", "Dubois", "Eze", "Ferrari"),
    *("Fischer", "Gomes", "Gruber", "Haas", "Ibrahim", "Ito", "Jansen", "Joshi", "Kaya", "Kim"),
    *("Kovac", "Larsen", "Lopes", "Malik", "Mbeki", "Moreau", "Nagy", "Novak", "Okoro", "Olsen"),
    *("Pereira", "Petrov", "Quist", "Rao", "Rossi", "Sato", "Schmid", "Silva", "Tanaka", "Torres"),
    *(
        "Ueda",
        "Vargas",
        "Virtanen",
        "Weber",
        "Wong",
        "Yilmaz",
        "Young",
        "Zeman",
        "Zhang",
        "Ziegler",
    ),
)
TRAITS: Final = (
    *("patient", "curious", "stubborn", "generous", "shy", "loud", "tidy", "forgetful", "witty"),
    *("earnest", "restless", "gentle", "proud", "careful", "cheerful", "blunt", "dreamy", "loyal"),
)
PASTIMES: Final = (
    *("plays chess", "keeps bees", "sings in a choir", "paints the weather", "mends radios"),
    *("collects maps", "bakes for the neighbours", "reads detective stories", "grows tomatoes"),
    *("runs before breakfast", "writes letters by hand", "films birds", "knits", "tells fortunes"),
)
