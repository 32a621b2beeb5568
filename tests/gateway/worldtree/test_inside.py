"""``troupe worldtree inside``: from a catalog and a model's folder to a page."""

import csv
from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
import pytest

from actors.worldtree.catalog_items import Catalog, Sample
from actors.worldtree.trees.abilities import ABILITIES, ASPECTS
from actors.worldtree.trees.tree import Line, Profile
from evaluators.worldtree.internals import errors, forward_passes, write_page
from store.read_model.catalogs import save_catalog
from tests.evaluators.worldtree.internals.models import gpt2, llama, save_tokeniser
from tests.gateway.command import Desk, Said

needs_torch = pytest.mark.skipif(
    find_spec("torch") is None, reason="PyTorch is not installed: make inside"
)
SAYS = "wait share carry sing build plan rest open write mend".split()  # noqa: SIM905


def sample(at: int, *abilities: str) -> Sample:
    """A short question in one language or the other."""
    told = " ".join(SAYS[at * step % len(SAYS)] for step in range(1, 4))
    lines = [Line(role="Ada", text=f"I {word} {told}") for word in SAYS[:4]]
    return Sample(
        id=f"s{at:02}",
        language="zh" if at % 2 else "en",
        protagonist=Profile(name="Ada"),
        question=f"Who will {SAYS[at % len(SAYS)]}?",
        right=lines[0],
        distractors=tuple(lines[1:]),
        abilities=abilities,
    )


SAMPLES = (
    *(sample(at, ability) for at, ability in enumerate(ABILITIES)),
    *(sample(40 + at, ability) for at, ability in enumerate(ABILITIES[:8])),
    sample(60, *ABILITIES[:2]),
)


class Bench:
    """A desk with a catalog ``some`` and a model."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.model, self.out = desk.folder / "model", desk.folder / "out"
        self.model.mkdir()
        self.holds(SAMPLES)

    def holds(self, samples: Sequence[Sample]) -> None:
        """The catalog is these samples."""
        store = self.desk.open()
        save_catalog(store, Catalog(name="some", samples=tuple(samples)), "made up")
        store.close()
        self.samples = samples

    def trained(self, model: object) -> None:
        """The folder holds this model, and a tokeniser."""
        model.save_pretrained(self.model)  # type: ignore[attr-defined]
        save_tokeniser(self.model, [f"{one.question} {one.right.text}" for one in SAMPLES])

    def says(self, *more: str) -> Said:
        """What the command says."""
        given = ("--model", str(self.model), "--out", str(self.out), "--block", "4")
        return self.desk.says("worldtree", "inside", "some", *given, *more)

    def rows(self, name: str) -> list[dict[str, str]]:
        """Of a table."""
        with (self.out / f"{name}.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))


@pytest.fixture
def bench(desk: Desk) -> Bench:
    return Bench(desk)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures, which take most of the time, are left out."""
    monkeypatch.setattr(write_page, "figures", lambda _: [])


@needs_torch
def test_a_model_is_looked_into_and_what_was_read_is_read_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.trained(llama())
    read = forward_passes.read
    texts: list[str] = []

    def stopped(*given: object) -> list[forward_passes.TextActivations]:
        if len(texts) >= 32:
            raise KeyboardInterrupt
        texts.extend(text.sample for text in given[2])  # type: ignore[attr-defined]
        return read(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(forward_passes, "read", stopped)
    assert bench.says().code == 130
    first = len(texts)
    texts.clear()
    said = bench.says()
    assert said.code == 0, said.err
    assert first + len(texts) == 40, "what was read before it was stopped is not read again"
    assert "1 sample is left out: they count for several" in said.err
    assert "model.layers.1.mlp.down_proj" in said.out

    assert len(bench.rows("samples")) == 40
    by_kind = {(row["kind"], row["where"]): row for row in bench.rows("clusters")}
    assert {kind for kind, _ in by_kind} == {"aspect", "ability", "language"}
    assert all(0 <= float(row["purity"]) <= 1 for row in by_kind.values())
    blocks = bench.rows("importance-blocks")
    assert len(blocks) == len(ASPECTS) * 4 * 6
    assert sum(int(row["important"]) for row in blocks) == len(ASPECTS) * 2, "5 % of 24"
    assert len(bench.rows("importance-pairs")) == 10
    assert len(list(bench.out.glob("difference-*.svg"))) == 10
    assert len(list(bench.out.glob("tsne-*.svg"))) == 1 + len(ASPECTS)
    page = (bench.out / "index.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 16
    assert "#0b0101" not in page

    marked = bench.desk.file("marked.csv", "sample,keyword\ns00,wait\ns00,Who\n")
    texts.clear()
    mine = bench.out / "tsne-mine.svg"
    mine.touch()
    monkeypatch.setattr(write_page, "figures", lambda _: [])
    again = bench.says("--top", "0.5", "--keywords", marked, "--json")
    assert not texts, "other figures need no model"
    assert (
        again.json["importance_pairs"][0]["both"] + again.json["importance_pairs"][0]["only_a"]
        == 12
    )
    assert list(bench.out.glob("*.svg")) == [mine], "only what an earlier call wrote is taken away"
    (row,) = [row for row in bench.rows("attended-by-aspect") if row["aspect"] == "all"]
    assert (row["marked"], row["found"], row["most often in both"]) == ("2", "2", "wait, who")


@needs_torch
@pytest.mark.usefixtures("undrawn")
def test_a_damaged_part_is_read_again_and_the_same_comes_of_it(bench: Bench) -> None:
    bench.trained(gpt2(width=7))
    assert bench.says().code == 0
    before = (bench.out / "importance-blocks.csv").read_text()
    (part,) = bench.out.glob("activations/*/00000.npz")
    part.write_bytes(part.read_bytes()[:100])
    assert bench.says().code == 0
    assert (bench.out / "importance-blocks.csv").read_text() == before


@needs_torch
def test_one_sample_has_no_picture_and_aspects_without_samples_no_weights(bench: Bench) -> None:
    bench.trained(llama())
    bench.holds(SAMPLES[:1])
    said = bench.says()
    assert said.code == 0, said.err
    assert "no t-SNE: it needs 5 samples" in said.err.replace("\n", " ")
    assert "no importance for Social Engagement, Cooperation" in said.err.replace("\n", " ")
    (row, _) = bench.rows("clusters")
    assert (row["silhouette"], row["purity"]) == ("", "")
    assert not (bench.out / "importance-pairs.csv").exists()


@needs_torch
@pytest.mark.usefixtures("undrawn")
def test_what_is_no_number_is_left_out_or_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.trained(llama())
    read = forward_passes.read
    broken = {"s03", "s04"}

    def overflowing(loaded: object, places: object, texts: object, *more: object) -> object:
        seen = read(loaded, places, texts, *more)  # type: ignore[arg-type]
        return [
            one._replace(hidden=one.hidden * np.nan) if text.sample in broken else one
            for text, one in zip(texts, seen, strict=True)  # type: ignore[call-overload]
        ]

    monkeypatch.setattr(forward_passes, "read", overflowing)
    said = bench.says("--norm", "all")
    assert "2 samples are left out: what the model makes of them is not all numbers" in (
        said.err.replace("\n", " ")
    )
    broken |= {one.id for one in SAMPLES}
    said = bench.says()
    assert said.code == 1
    assert "none of the 40 samples can be used" in said.err
    assert "Traceback" not in said.err


@needs_torch
@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--layer", "2"), "the model has 2 blocks"),
        (("--module", "lm_tail"), "name the layer whose weights are to be looked at"),
        (("--top", "0"), "more than 0"),
        (("--model", "/nowhere/at/all"), "is not on this machine"),
        (("--model", "nobody/nothing"), "is not on this machine"),
        (("--keywords", "/nowhere.csv"), "no such file"),
        (("--device", "abacus"), "cannot be run on abacus"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    bench: Bench, given: tuple[str, ...], why: str
) -> None:
    bench.trained(llama())
    said = bench.says(*given)
    assert (said.code, said.out) == (1, "")
    assert why in said.err
    assert said.err.count("\n") == 1


@needs_torch
def test_a_folder_that_is_no_model_is_refused(bench: Bench) -> None:
    said = bench.says()
    assert said.code == 1
    assert "cannot be loaded" in said.err
    assert said.err.count("\n") == 1


def test_without_the_packages_the_command_says_how_to_install_them(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda name: None if name == "torch" else name)
    said = bench.says()
    assert said.code == 1
    assert "needs torch: `make inside` installs" in said.err


def test_a_language_without_samples_is_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda name: name)
    bench.holds(SAMPLES[:1])
    assert "none of the 0 samples can be used" in bench.says("--language", "zh").err
    bench.holds([sample(0, *ABILITIES[:3])])
    assert "each counts for several abilities" in bench.says().err
