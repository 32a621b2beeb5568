"""A reader of the events learns from their declarations alone what each field holds."""

import ast
from pathlib import Path

import pytest

import events

MODULES = sorted(Path(events.__file__).parent.rglob("*.py"))


def undescribed(path: Path) -> list[str]:
    """The fields of a module's classes that no docstring follows."""
    found = []
    for declared in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(declared, ast.ClassDef):
            continue
        for field, behind in zip(declared.body, [*declared.body[1:], None], strict=True):
            described = (
                isinstance(behind, ast.Expr)
                and isinstance(behind.value, ast.Constant)
                and isinstance(behind.value.value, str)
            )
            if isinstance(field, ast.AnnAssign) and not described:
                found.append(f"{declared.name}.{ast.unparse(field.target)}")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_every_field_says_what_it_holds(path: Path) -> None:
    assert undescribed(path) == []
