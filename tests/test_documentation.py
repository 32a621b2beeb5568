"""Pages of the documentation: their links, their places, and what is generated from the code."""

import importlib
import importlib.util
import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from typer.main import get_command

from gateway.cli.main import app
from gateway.services.files.bundled_files import SECTIONS
from gateway.settings import VARIABLES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md"))
AROUND = sorted(ROOT.glob("*.md"))
NAMING = (
    *("troupe", "gateway", "evaluators", "actors", "store", "events"),
    *("examples", "plans", "deploy", "scripts"),
)
"""Folders whose files name pages."""
README_LINES = 150


def module_of_the_site() -> ModuleType:
    """The hooks of MkDocs, which is not needed to load them."""
    spec = importlib.util.spec_from_file_location("site_hooks", ROOT / "scripts/documentation.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SITE = module_of_the_site()


class Navigation(yaml.SafeLoader):
    """Reads mkdocs.yml, whose other tags name functions of MkDocs."""


Navigation.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)


def headings(text: str) -> set[str]:
    """The anchors of a page, as GitHub and the site make them."""
    found = re.findall(r"^#+ +(.+)$", re.sub(SITE.CODE_BLOCK, "", text), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", SITE.LINK.sub(r"\2", line).lower()) for line in found)
    return {line.strip().replace(" ", "-") for line in plain}


def links(path: Path) -> Iterator[tuple[str, str]]:
    """The links of a page to files and headings of the repository: both parts of each."""
    text = SITE.CODE_BLOCK.sub("", path.read_text(encoding="utf-8"))
    targets = [found[1] for found in re.finditer(r"\]\(([^)\s]+)\)", text)]
    targets += re.findall(r"<img src=\"([^\"]+)\"", text)
    for target in targets:
        if "://" not in target:
            file, _, heading = target.partition("#")
            yield file, heading


@pytest.mark.parametrize("path", [*PAGES, *AROUND], ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading_that_exist(path: Path) -> None:
    for file, heading in links(path):
        target = path.parent / file if file else path
        assert target.exists(), f"{file} does not exist"
        if heading:
            assert heading in headings(target.read_text(encoding="utf-8")), f"{file}#{heading}"


def test_every_page_is_in_one_section_the_index_and_the_navigation() -> None:
    sections = {path.relative_to(DOCS).parts[0] for path in PAGES} - {"index.md"}
    assert sections == {*SECTIONS, "decisions"}
    pages = {path.relative_to(DOCS).as_posix() for path in PAGES if path.parent.name in SECTIONS}
    indexed = {posixpath.normpath(file) for file, _ in links(DOCS / "index.md")}
    assert pages <= indexed
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"[\w-]+/[\w-]+\.md", str(yaml.load(site, Navigation)["nav"])))
    assert pages | {"decisions/README.md"} == listed


def test_no_two_pages_have_the_name_that_the_command_docs_takes() -> None:
    names = [path.stem for path in PAGES if path.parent.name in SECTIONS]
    assert [name for name in names if names.count(name) > 1] == []


def test_every_decision_is_in_the_index_under_its_title() -> None:
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    for path in sorted((DOCS / "decisions").glob("0*.md")):
        title = path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        assert index.count(f"- [{title}]({path.name})\n") == 1, title


def test_paths_of_pages_that_code_and_files_name_exist() -> None:
    ours = {path.name for path in PAGES}  # projects that texts cite have pages of their own
    kinds = {".py", ".toml", ".js", ".j2", ".html", ".yml", ".yaml", ".conf", ".example", ".ipynb"}
    for folder in NAMING:
        for path in sorted((ROOT / folder).rglob("*")):
            # A prompt that was used never changes, though the page it names has moved.
            if path.suffix not in kinds or path.parent.name == "prompts" or not path.is_file():
                continue
            for named in re.findall(r"(?<![\w./-])docs/[\w./-]+\.md", path.read_text("utf-8")):
                known = Path(named).name in ours or Path(named).parent.name in SECTIONS
                assert not known or (ROOT / named).is_file(), (str(path), named)


@pytest.mark.parametrize("path", [*PAGES, *AROUND], ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_of_code_that_pages_name_exist(path: Path) -> None:
    if path.name == "CHANGELOG.md" or path.parent.name == "decisions":
        return  # they tell of the code of their time
    text = path.read_text(encoding="utf-8")
    for named in re.findall(rf"`((?:{'|'.join((*NAMING, 'tests'))})/[\w./-]+)`", text):
        # With capitals it is a placeholder; without an ending it may be something else.
        if named == named.lower() and ("." in named or named.endswith("/")):
            assert (ROOT / named).exists(), named


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_that_pages_show_work(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for module, names in re.findall(r"^ *from ([\w.]+) import ([\w, ]+)$", text, re.MULTILINE):
        if module.partition(".")[0] in NAMING:
            try:
                there = importlib.import_module(module)
            except ModuleNotFoundError as missing:
                if missing.name is None or missing.name.partition(".")[0] in NAMING:
                    raise
                pytest.skip(f"{missing.name} is not installed")
            assert not [name for name in names.split(", ") if not hasattr(there, name)], module


def test_the_page_of_commands_has_each_command_with_its_options() -> None:
    page = SITE.commands_text()
    waiting = [("troupe", get_command(app))]
    while waiting:
        name, command = waiting.pop()
        inner = getattr(command, "commands", {})
        waiting += [(f"{name} {word}", one) for word, one in inner.items() if not one.hidden]
        if name == "troupe":
            continue
        heading = re.search(rf"^#+ `{re.escape(name)}`$", page, re.MULTILINE)
        assert heading is not None, name
        told = re.split(r"^#+ `", page[heading.end() :], maxsplit=1, flags=re.MULTILINE)[0]
        for option in () if inner else command.params:
            if option.param_type_name == "option":
                assert option.hidden or f"`{max(option.opts, key=len)}" in told, (name, option.name)


def test_the_page_of_settings_has_each_variable() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .", SITE.settings_text(), re.MULTILINE)
    assert rows == list(VARIABLES)


def test_the_site_leads_to_its_own_pages_and_to_copies_of_other_files() -> None:
    text = (
        "[plan](../reference/plan.md#minds) [cited](../../CITATIONS.md) [all](../../deploy) "
        "[one](../../examples/first.toml) [not there](gone.md) [here](#it) [out](https://a.example)\n"
        "```\n[plan](../reference/plan.md)\n```\n"
    )
    assert SITE.with_links_of_the_site("docs/how-to/fleet.md", "how-to/fleet.md", text) == (
        "[plan](../reference/plan.md#minds) [cited](../citations.md) all "
        "[one](../files/examples/first.toml.txt) [not there](gone.md) [here](#it) "
        "[out](https://a.example)\n"
        "```\n[plan](../reference/plan.md)\n```\n"
    )


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES


def test_hooks_before_commits_run_what_make_lint_runs() -> None:
    target = re.search(r"^lint:.*\n((?:\t.+\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert target is not None
    wanted = re.findall(r"^\t@\$\(BIN\)/(.+)$", target[1], re.MULTILINE)
    # What only installs is no check.
    made = [
        name for name in re.findall(r"\$\(MAKE\) -s (\w+)", target[1]) if name != "node_modules"
    ]
    wanted += [f"make -s {name}" for name in made]
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [repository["repo"] for repository in hooks] == ["local"]
    entries = [hook["entry"].removeprefix(".venv/bin/") for hook in hooks[0]["hooks"]]
    # A hook is given the files of a commit, `make lint` the whole tree.
    assert [entry.removesuffix(" --force-exclude") for entry in entries] == [
        " ".join(word for word in line.split() if word != ".") for line in wanted
    ]


def test_hosted_ci_runs_what_a_change_must_pass() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert ".ci/run" in steps
    assert "make docs" in steps
