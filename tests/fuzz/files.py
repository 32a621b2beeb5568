"""What people write: plans, judges and catalogs, in TOML and in published formats."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from actors.episodes.catalogs.review import review
from actors.episodes.registry import environment_named
from actors.worldtree.formats.catalogs import catalog_of
from actors.worldtree.formats.files import read_path
from actors.worldtree.tasks import samples_in
from evaluators.judges.judge_file import read_judge
from evaluators.worldtree.internals.attention import read_keywords
from evaluators.worldtree.internals.text_samples import Text
from evaluators.worldtree.people_file import with_people
from evaluators.worldtree.values.results import Results
from gateway.services.catalogs.catalog_folders import begin_folder, check_folder, import_folder
from gateway.services.catalogs.read_catalog import ensure_starters, load
from gateway.services.files.import_episodes import import_file
from gateway.services.runs.forecast_run import estimated
from gateway.services.runs.plan_run import prepare
from gateway.worldtree.import_command import bring
from store.open_store import open_store
from tests.actors.worldtree.example_trees import LAMP
from tests.actors.worldtree.plain import sample, tree
from tests.fuzz.oracle import Fault, check_sentence, refused
from tests.fuzz.playing import Kind
from tests.fuzz.spoiling import spoiled, step_of_bytes, step_of_text, step_of_tree
from tests.fuzz.stores import STORE, fill, fingerprint, require_sound
from tests.support.runs import chain_plan, model_minds, plan

_ROOT = Path(__file__).parents[2]
_PUBLISHED = _ROOT / "tests/gateway/social/fixtures/sotopia"
MOST_PLANNED = 2_000
"""Episodes of a plan whose cost is estimated here, too."""


def step_of_file(data: bytes, random: Random) -> bytes:
    """Change a text file: as a text, and now and then as bytes."""
    if random.random() < 0.1:
        return step_of_bytes(data, random)
    text = step_of_text(data.decode("utf-8", "surrogateescape"), random)
    return text.encode("utf-8", "surrogatepass" if "\ud83d" in text else "surrogateescape")


class _OfFile(Kind):
    """Spoils a file."""

    texts: Sequence[str]

    def __init__(self, folder: Path) -> None:
        self._path = folder / "it.toml"
        self.samples = len(self.texts)

    def write(self, sample: int, steps: Sequence[int]) -> Path:
        """The spoiled file."""
        self._path.write_bytes(spoiled(self.texts[sample].encode(), steps, step_of_file))
        return self._path

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self.write(sample, steps).read_bytes())


class Plans(_OfFile):
    """Plan files, prepared and forecast as ``troupe run --dry-run`` does."""

    name = "plans"
    share = 1.0
    texts = (
        plan(),
        plan(judges='["rehearsal-strict"]', rules="turn_cap = 4", budget="usd = 1.0"),
        plan(model_minds("http://127.0.0.1:9/v1", temperature=0.5)),
        chain_plan(),
        *(path.read_text() for path in sorted((_ROOT / "plans").glob("*.toml"))),
        *(
            path.read_text()
            for path in sorted((_ROOT / "examples").glob("*.toml"))
            if "judge" not in path.name
        ),
    )

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        fill(folder / STORE)
        self._store = open_store(f"sqlite:///{folder / STORE}", durable=False)
        self._before = fingerprint(self._store)

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def play(self, sample: int, steps: Sequence[int]) -> None:
        path = self.write(sample, steps)
        estimating = Random(str(steps)).random() < 0.3  # ten times as much work as all the rest

        def prepared() -> None:
            found = prepare(self._store, path)
            if estimating and len(found.planned.episodes) <= MOST_PLANNED:
                estimated(found)

        refused(prepared)

    def check_end(self) -> None:
        if fingerprint(self._store) != self._before:
            raise Fault("preparing plans changed the store")


class Judges(_OfFile):
    """Judge files."""

    name = "judges"
    share = 2.5
    texts = tuple(path.read_text() for path in sorted((_ROOT / "examples").glob("*judge*.toml")))

    def play(self, sample: int, steps: Sequence[int]) -> None:
        path = self.write(sample, steps)
        refused(lambda: read_judge(path))


class People(_OfFile):
    """What people chose and answered in world trees."""

    name = "people"
    share = 1.0
    texts = (
        "participant,language,task,item,answer\n"
        "p1,en,walk.lamp-en,0,A\np2,en,walk.lamp-en,0,2\np1,en,walk.lamp-en,1,1\n"
        'p1,en,ask.lamp-en.0.1,,"A"\np2,en,ask.lamp-en.0.1,,\n',
    )
    _results = Results(
        trees={LAMP.id: LAMP}, samples={one.id: one for one in samples_in(LAMP)}, minds=("m",)
    )

    def play(self, sample: int, steps: Sequence[int]) -> None:
        path = self.write(sample, steps)
        refused(lambda: with_people(self._results, path))


class Keywords(_OfFile):
    """What annotators marked in texts that a model reads."""

    name = "keywords"
    share = 0.3
    texts = (
        "annotator,sample,keyword\nA,s1,share\nB,s1,keep calm\nA,s2,信任\n",
        'keyword,sample\n"wait, then",s1\n',
    )

    def play(self, sample: int, steps: Sequence[int]) -> None:
        path = self.write(sample, steps)
        texts = [
            Text("s1", "en", "Adaptability", "We share it, keep calm and wait, then go."),
            Text("s2", "zh", "Adaptability", "我们信任他。"),
        ]
        refused(lambda: read_keywords(path, texts))


class Catalogs(Kind):
    """Folders of a catalog: Troupe's own TOML files."""

    name = "catalogs"
    share = 0.7

    def __init__(self, folder: Path) -> None:
        self._template, self._folder = folder / "template", folder / "catalog"
        begin_folder("template", "social", self._template)
        self._files = sorted(path.name for path in self._template.iterdir())
        self.samples = len(self._files)
        fill(folder / STORE)
        self._store = open_store(f"sqlite:///{folder / STORE}", durable=False)
        self._before = fingerprint(self._store)

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def _write(self, sample: int, steps: Sequence[int]) -> Path:
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._template, self._folder)
        path = self._folder / self._files[sample]
        path.write_bytes(spoiled(path.read_bytes(), steps, step_of_file))
        return path

    def play(self, sample: int, steps: Sequence[int]) -> None:
        self._write(sample, steps)
        checked: list[Any] = []
        refused(lambda: checked.append(check_folder(self._folder)))
        head = self._store.head()
        if refused(lambda: import_folder(self._store, self._folder)):
            if self._store.head() != head:
                raise Fault("a refused catalog changed the store")
        elif checked and checked[0].catalog is not None:
            load(self._store, checked[0].name)

    def check_end(self) -> None:
        require_sound(self._store)

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        path = self._write(sample, steps)
        return f"{path.name}: {path.read_bytes()!r}"


class Published(Kind):
    """Episodes and catalogs in SOTOPIA's published formats."""

    name = "published"
    share = 0.7

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "published"
        self._files = sorted(
            path.relative_to(_PUBLISHED) for path in _PUBLISHED.rglob("*.json*") if path.is_file()
        )
        self.samples = len(self._files)
        self._store = open_store(f"sqlite:///{folder / STORE}", durable=False)
        import_folder(self._store, _PUBLISHED, "published")
        ensure_starters(self._store)

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def _write(self, sample: int, steps: Sequence[int]) -> Path:
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(_PUBLISHED, self._folder)
        path = self._folder / self._files[sample]
        path.write_bytes(spoiled(path.read_bytes(), steps, step_of_json_lines))
        return path

    def play(self, sample: int, steps: Sequence[int]) -> None:
        path = self._write(sample, steps)
        episodes = "ogs" in str(path.parent) or "Log" in str(path.parent) or path.suffix == ".jsonl"
        head = self._store.head()
        if episodes:
            why = refused(lambda: import_file(self._store, path, "published"))
        else:
            why = refused(lambda: import_folder(self._store, self._folder, "published"))
        if why and self._store.head() != head:
            raise Fault("what was refused changed the store")

    def check_end(self) -> None:
        require_sound(self._store)

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        path = self._write(sample, steps)
        return f"{path.relative_to(self._folder)}: {path.read_bytes()!r}"


class WorldTrees(Kind):
    """Files of world trees: one of a tree, a list of trees in both languages, and one of ability
    samples."""

    name = "worldtrees"
    share = 0.7

    def __init__(self, folder: Path) -> None:
        self._path = folder / "trees-en.json"
        lists = [{"data_id": 1, "cn_data": tree(), "en_data": tree()}, {"en_data": sample()}]
        self._files = (json.dumps(tree()), json.dumps(lists))
        self.samples = len(self._files)
        self._store = open_store(f"sqlite:///{folder / STORE}", durable=False)
        bring(self._store, self._write(0, ()), "fuzzed")

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def _write(self, sample: int, steps: Sequence[int]) -> Path:
        data = self._files[sample].encode()
        self._path.write_bytes(spoiled(data, steps, step_of_json_lines))
        return self._path

    def play(self, sample: int, steps: Sequence[int]) -> None:
        path = self._write(sample, steps)
        head = self._store.head()
        if refused(lambda: bring(self._store, path, "fuzzed")) and self._store.head() != head:
            raise Fault("a refused file changed the store")
        found = read_path(path)
        for defect in found.defects:
            check_sentence(str(defect))
        environment = environment_named("worldtree")
        catalog = catalog_of(found, "fuzzed")
        for remark in review(environment, catalog).remarks:
            if remark.grade == "error":
                raise Fault(f"what was read cannot be played: {remark.why}")

    def check_end(self) -> None:
        require_sound(self._store)

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self._write(sample, steps).read_bytes())


def step_of_json_lines(data: bytes, random: Random) -> bytes:
    """Change a file of JSON, or one value a line: mostly as values, now and then as bytes."""
    if random.random() < 0.15:
        return step_of_bytes(data, random)
    try:
        return json.dumps(step_of_tree(json.loads(data), random)).encode()
    except (ValueError, RecursionError):
        pass
    lines = data.splitlines()
    at = random.randrange(len(lines)) if lines else 0
    try:
        lines[at] = json.dumps(step_of_tree(json.loads(lines[at]), random)).encode()
    except (ValueError, RecursionError, IndexError):
        return step_of_bytes(data, random)
    return b"\n".join(lines) + b"\n"
