import pytest

from actors.social.catalog.kinship import YEARS_OLDER, kinship_fault
from actors.social.catalog_items import Kinship, Relationship, RelationshipKind
from tests.support.builders import character

FAMILY, ROMANTIC = RelationshipKind.FAMILY, RelationshipKind.ROMANTIC


def fault(kin: Kinship | None, ages: tuple[int, int], kind: RelationshipKind = FAMILY) -> str:
    two = [character(name, age=age) for name, age in zip(("Ada", "Ben"), ages, strict=True)]
    tie = Relationship(id="t", characters=("ada", "ben"), kind=kind, kin=kin)
    return kinship_fault(tie, two)


@pytest.mark.parametrize(
    ("kin", "ages"),
    [
        (Kinship.PARENT, (50, 23)),
        (Kinship.CHILD, (23, 50)),
        (Kinship.GRANDCHILD, (29, 78)),
        (Kinship.SIBLING, (23, 50)),
        (Kinship.AUNT_OR_UNCLE, (30, 40)),
        (Kinship.NIECE_OR_NEPHEW, (40, 30)),
        (Kinship.SIBLING_IN_LAW, (20, 80)),
        (Kinship.SPOUSE, (30, 70)),
        (None, (5, 3)),
    ],
)
def test_ages_that_can_be_are_not_remarked_on(kin: Kinship | None, ages: tuple[int, int]) -> None:
    assert fault(kin, ages) == ""


@pytest.mark.parametrize(
    ("kin", "ages", "says"),
    [
        (Kinship.PARENT, (30, 23), "Ada (30) is Ben's parent and has to be 14 to 60 years older"),
        (Kinship.CHILD, (50, 23), "Ben (23) is Ada's parent"),
        (Kinship.PARENT, (95, 23), "60 years older at most than they are (23)"),
        (Kinship.GRANDPARENT, (50, 30), "grandparent and has to be 30 to 100 years older"),
        (Kinship.SIBLING, (10, 50), "30 years younger at most"),
        (Kinship.CHILD_IN_LAW, (40, 45), "Ben (45) is Ada's parent-in-law"),
        (Kinship.SPOUSE, (17, 40), "the two are a couple, and Ada is 17"),
    ],
)
def test_ages_that_cannot_be_are_said_with_what_could(
    kin: Kinship, ages: tuple[int, int], says: str
) -> None:
    assert says in fault(kin, ages)


def test_couples_are_grown_up_and_kin_is_of_the_family() -> None:
    assert fault(None, (40, 17), ROMANTIC) == "the two are a couple, and Ben is 17"
    assert fault(None, (18, 80), ROMANTIC) == ""
    assert fault(Kinship.SIBLING, (20, 21), ROMANTIC) == "is for family, and the two are romantic"


def test_every_kind_of_kin_has_a_range_an_inverse_or_any_age() -> None:
    assert all(low < high for low, high in YEARS_OLDER.values())
    for kin in Kinship:
        assert (
            fault(kin, (40, 40)) == "" or fault(kin, (70, 40)) == "" or fault(kin, (40, 70)) == ""
        )
