"""Another version of the code beside this one, set up by its own means."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".bench"
"""Worktrees are kept here and used again; git ignores the folder."""
_DIGITS = 12
_OURS = ("REF", "ARGS", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MAKEFILES")
_PLACES = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "GIT_DIR", "GIT_WORK_TREE")


class NoWorktree(Exception):
    """The other version cannot be had, or not set up."""


def environment() -> dict[str, str]:
    """This process's, without what `make` was told here and what names this environment."""
    return {key: value for key, value in os.environ.items() if key not in _OURS + _PLACES}


def commit_of(ref: str, root: Path = ROOT) -> str:
    """The commit that a name stands for. Raises ``NoWorktree``."""
    found = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if found.returncode:
        raise NoWorktree(
            f"this repository has no commit {ref!r}: name a commit, a branch or a tag "
            "(`git fetch` brings those of the remote)"
        )
    return found.stdout.strip()


def worktree(ref: str, root: Path = ROOT, folder: Path = FOLDER) -> Path:
    """The folder with that version; made unless it is there. Raises ``NoWorktree``."""
    commit = commit_of(ref, root)
    place = folder / commit[:_DIGITS]
    if place.exists() and _git(place, "rev-parse", "HEAD").stdout.strip() == commit:
        return place
    folder.mkdir(parents=True, exist_ok=True)
    _git(root, "worktree", "prune")  # of folders that were deleted by hand
    made = _git(root, "worktree", "add", "--detach", str(place), commit)
    if made.returncode:
        raise NoWorktree(f"git could not make the worktree {place}: {made.stderr.strip()}")
    return place


def set_up(place: Path, targets: Sequence[str] = ("dev",)) -> None:
    """Make its environment by its own Makefile. Raises ``NoWorktree``."""
    for target in targets:
        done = subprocess.run(["make", target], cwd=place, env=environment(), check=False)
        if done.returncode:
            raise NoWorktree(f"`make {target}` failed in {place}: its message is above")


def _git(place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["git", "-C", str(place), *arguments],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
