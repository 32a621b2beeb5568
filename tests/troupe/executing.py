"""The example notebooks, as a kernel executes them."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[2] / "examples"


def executed(
    name: str, folder: Path, patch: pytest.MonkeyPatch, *, model: str = "", timeout_s: int = 100
) -> list[dict[str, Any]]:
    """What the cells of a notebook have shown, by kind of content; its data are in ``folder``.
    ``model``: what plays and judges in it; empty: rehearsals. ``timeout_s``: of each cell."""
    patch.setenv("TROUPE_DATA_DIR", str(folder / "data"))
    patch.delenv("TROUPE_NOTEBOOK_MODEL", raising=False)
    if model:
        patch.setenv("TROUPE_NOTEBOOK_MODEL", model)
    notebook = nbformat.read(EXAMPLES / name, 4)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)
    place = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=timeout_s, kernel_name="python3", resources=place).execute()
    outputs = [out for cell in notebook.cells for out in cell.get("outputs", ())]
    return [
        dict(out["data"]) if "data" in out else {"text/plain": out.get("text", "")}
        for out in outputs
    ]
