"""The report: complete, escaped, honest about what is missing, and in need of no network."""

import base64
import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from actors.social.setup import EpisodeRules
from evaluators.plugin import EvaluatorPlugin, ReportSection
from evaluators.report import page, write_report
from evaluators.report.charts import score_charts, svg_charts
from evaluators.report.data.run_data import RunData, gather
from evaluators.report.formats import figure
from evaluators.report.sections.outliers import boxes
from evaluators.report.select_transcripts import choose
from evaluators.scores.scales import Scale
from events.base import Event
from events.episode import ActionTaken, EpisodeEnded, EpisodeForked, TurnOpened
from events.run import Plan, PlannedEpisode, RunPlanned
from events.untrusted.safe_text import harmless
from store.id_lookup import UnknownId
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow
from tests.evaluators.synthetic import CONTROLS, INJECTION, RUN, fill
from tests.support.builders import act, mind
from tests.support.undrawn_charts import undrawn

__all__ = ["undrawn"]

EPISODES = 9
Histories = Iterable[tuple[EpisodeRow, Sequence[Event]]]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EventStore]:
    opened = open_store(f"sqlite:///{tmp_path_factory.mktemp('report')}/store.db", durable=False)
    fill(opened, episodes=EPISODES)
    _fork(opened)
    yield opened
    opened.close()


FORK = "efork"


def _fork(store: EventStore) -> None:
    """What if the second seat of the first episode had answered otherwise, and left."""
    parent = queries.episodes(store, run=RUN)[0]
    history = read_history(store, parent.id)
    at = next(n.number for n in history if isinstance(n.event, TurnOpened) and n.event.turn == 2)
    own = [
        EpisodeForked(parent=parent.id, at=at, minds=(mind("warm"), mind("other"))),
        ActionTaken(turn=2, seat=1, action=act("speak", "Not for any money.")),
        EpisodeEnded(reason="left", turn=2),
    ]
    store.append(f"episode-{FORK}", NEW, own)


@pytest.fixture(scope="module")
def html(store: EventStore, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("html") / "deep" / "report.html"
    assert write_report(store, RUN[:6], path) == path
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def shortened(store: EventStore, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The report with two transcripts, and the folder of the others."""
    folder = tmp_path_factory.mktemp("shortened")
    path = write_report(store, RUN, folder / "report.html", most=2, rest=folder / "rest")
    return path.read_text(encoding="utf-8"), folder / "rest"


class Tags(HTMLParser):
    """Every tag with its attributes, and all text outside script and style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._silent += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


def test_every_episode_of_the_run_is_in_it_with_all_that_was_said(
    html: str, store: EventStore
) -> None:
    tags = Tags(html)
    shown = {a["id"] for tag, a in tags.tags if tag == "details" and a.get("class") == "episode"}
    assert shown == {row.id for row in queries.episodes(store, run=RUN)}
    lines = [a for tag, a in tags.tags if tag == "li" and str(a.get("class")).startswith("seat-")]
    turns = sum(row.turns for row in queries.episodes(store, run=RUN))
    assert len(lines) == turns


def test_nothing_in_it_leads_to_a_network(html: str) -> None:
    for tag, attributes in Tags(html).tags:
        for name in ("src", "href", "xlink:href", "action", "srcset"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)
    assert "@import" not in html
    assert not re.search(r"url\((?!#)", html)


def test_its_policy_forbids_the_network_and_any_script_but_its_own(html: str) -> None:
    policy = next(
        a["content"] or "" for tag, a in Tags(html).tags if tag == "meta" and "http-equiv" in a
    )
    assert "default-src 'none'" in policy
    script = html.rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_what_was_said_is_text_and_never_markup(html: str) -> None:
    assert "<script>document.title" not in html
    assert "<img" not in html
    # Said in an episode, given as a reason in each of its fourteen scores, and in the plan.
    assert Tags(html).text.count(INJECTION) >= 3


def test_nothing_that_was_said_reaches_the_page_as_a_control_character(html: str) -> None:
    shown = harmless(CONTROLS)
    assert Tags(html).text.count(shown) >= 3
    assert harmless(html) == html


def test_ids_are_unique_so_that_links_and_charts_do_not_mix(html: str) -> None:
    ids = [a["id"] for _, a in Tags(html).tags if "id" in a]
    assert len(ids) == len(set(ids))


def test_every_link_within_the_page_has_its_target(html: str) -> None:
    tags = Tags(html).tags
    ids = {a.get("id") for _, a in tags}
    links = {str(a["href"]).removeprefix("#") for tag, a in tags if tag == "a" and "href" in a}
    assert links <= ids


def test_each_chart_says_what_it_shows(html: str) -> None:
    score_charts = [a for tag, a in Tags(html).tags if tag == "svg"]
    assert score_charts
    for chart in score_charts:
        title, description = str(chart["aria-labelledby"]).split()
        assert re.search(rf'<title id="{title}">[^<]+</title>', html)
        assert re.search(rf'<desc id="{description}">[^<]+</desc>', html)


def _tables(html: str) -> dict[str, list[list[str]]]:
    """The rows of each table of the page that can be taken away, as CSV has them, by its file."""
    found = re.findall(r'data-file="([^"]+)\.csv">\n(.*?)</textarea>', html, re.DOTALL)
    return {name: list(csv.reader(io.StringIO(unescape(text)))) for name, text in found}


def test_the_csv_beside_a_table_has_the_tables_figures(html: str) -> None:
    head, *rows = _tables(html)["scores-rehearsal-strict"]
    table = html.split('aria-label="Means by rehearsal-strict"')[1].split("</table>")[0]
    by_mind: dict[str, list[str]] = {}
    for row in rows:
        cell = dict(zip(head, row, strict=True))
        by_mind.setdefault(cell["mind"], []).append(figure(float(cell["mean"])))
    for mind_, means in by_mind.items():
        shown = table.split(f'<th scope="row">{mind_}</th>')[1].split("</tr>")[0]
        assert re.findall(r"<td[^>]*>([^<]+)<", shown)[: len(means)] == means
    assert r"\toprule" in html
    assert len(re.findall(r'data-file="[^"]+\.tex"', html)) == len(_tables(html))


def test_a_scenario_by_mind_is_the_mean_of_its_seats_and_leads_to_them(
    html: str, store: EventStore
) -> None:
    _, *rows = _tables(html)["scenarios-overall-rehearsal-strict"]
    head = _tables(html)["scenarios-overall-rehearsal-strict"][0]
    gathered = gather(store, RUN)
    columns = gathered.columns
    judge = next(j.judged.hash for j in gathered.judges if j.judged.label == "rehearsal-strict")
    mine = columns.of(judge, "overall")
    mine = mine.where(mine.clean & mine.scored)
    told = zip(mine.scenario.words(), mine.mind.words(), mine.value.tolist(), strict=True)
    scores = list(told)
    for scenario, _, *means in rows:
        for name, value in zip(head[2:], means, strict=True):
            of_cell = [v for s, m, v in scores if (s, m) == (scenario, name)]
            assert float(value) == pytest.approx(sum(of_cell) / len(of_cell))
    cells = [a for tag, a in Tags(html).tags if tag == "a" and "data-scenario" in a]
    played = {row.id: row for row in queries.episodes(store, run=RUN)}
    for cell in cells:
        row = played[str(cell["href"])[1:].removesuffix("-top")]
        assert row.scenario_id == cell["data-scenario"]
        assert cell["data-mind"] in row.minds


def test_a_far_score_has_a_mark_that_leads_to_its_transcript(html: str, store: EventStore) -> None:
    gathered = gather(store, RUN)
    found = [
        (box, one)
        for judge in gathered.judges
        for dimension in ("goal", "secret", "financial_and_material_benefits", "overall")
        for box in boxes(gathered, judge, dimension)
        for one in box.outliers
    ]
    assert found
    for box, one in found:
        low, _, high = box.quartiles
        assert not low - 1.5 * (high - low) <= one.value <= high + 1.5 * (high - low)
        assert low - 1.5 * (high - low) <= box.whiskers[0] <= box.whiskers[1]
    leads = {a["href"] for tag, a in Tags(html).tags if tag == "a" and a.get("class") == "to"}
    assert leads & {f"#{one.episode}-top" for _, one in found}


def test_each_dimension_has_a_table_of_partners_and_minds_are_compared_in_pairs(html: str) -> None:
    tables = _tables(html)
    assert {"partners-goal-rehearsal-strict", "partners-overall-rehearsal-lenient"} <= set(tables)
    head, *rows = tables["paired-rehearsal-strict"]
    differences = [dict(zip(head, row, strict=True)) for row in rows]
    assert {row["dimension"] for row in differences} >= {"Goal", "Overall"}
    for row in differences:
        if row["p"]:
            assert float(row["p"]) <= float(row["p_holm"]) <= 1
    name = 'aria-label="Paired differences by rehearsal-strict"'
    shown = html.split(name)[1].split("</table>")[0]
    means = re.findall(r"<td>[^<]+<span class=\"ci\">([^<]+)</span></td>", shown)
    exact = [(float(row["mean_a"]), float(row["mean_b"])) for row in differences]
    assert means == [figure(mean, 2) for pair in exact for mean in pair]
    for (a, b), row in zip(exact, differences, strict=True):
        assert a - b == pytest.approx(float(row["difference"]))


def test_a_fork_stands_beside_its_parent_from_where_they_part(html: str) -> None:
    forks = html.split('<h2 id="forks">')[1].split("<h2")[0]
    text = Tags(forks).text
    assert f"{FORK} : the old oven" in text
    assert "they part in turn 2" in text
    assert "Not for any money." in text
    assert f"troupe score {FORK} --judge JUDGE" in text


def test_without_scripts_the_first_judges_scores_are_shown_and_named(html: str) -> None:
    assert "one a seat: Overall, careful-model ." in Tags(html).text
    chips = re.findall(r'<span class="chip score" title="([^"]+)"', html)
    assert chips
    assert all(chip.endswith(", Overall, careful-model") for chip in chips)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 10, [0, 5, 10]), (-10, 0, [-10, -5, 0]), (-30 / 7, 40 / 7, [0, 5]), (1, 7, [2, 4, 6])],
)
def test_an_axis_has_round_ticks_within_its_scale(
    low: float, high: float, ticks: list[float]
) -> None:
    assert svg_charts.round_ticks(Scale(low, high), 3) == ticks


def test_it_says_that_no_language_model_judged_or_played(html: str) -> None:
    text = Tags(html).text
    assert "Some scores are rehearsal scores (rehearsal-lenient, rehearsal-strict)." in text
    assert "no language model played cold, warm" in text
    assert text.count("rehearsal: no language model judged this") >= 4


def test_missing_scores_are_counted_with_their_denominator_and_shown_as_missing(
    html: str, store: EventStore
) -> None:
    text = Tags(html).text
    rows = [row for row in queries.scores(store, run=RUN) if row.judge == "careful-model"]
    failed = sum(row.status == "failed" for row in rows)
    abstained = sum(row.status == "abstained" for row in rows)
    assert failed > 0
    assert abstained > 0
    assert re.search(rf"Scores failed: careful-model ?{failed} ?{len(rows)} scores", text)
    assert re.search(rf"Scores declined: careful-model ?{abstained} ?{len(rows)} scores", text)
    assert html.count('<span class="chip bad">failed</span>') == failed
    assert html.count('<span class="chip warn">abstained</span>') == abstained


def test_failures_of_every_kind_are_counted(html: str) -> None:
    text = Tags(html).text
    assert re.search(rf"Episodes given up ?1 ?{EPISODES} episodes", text)
    assert re.search(r"Evaluations given up ?1 ?24 evaluations", text)
    assert re.search(r"of them: not readable ?\d+ ?\d+ actions", text)
    assert "the mind of seat 1 failed again and again" in text


def test_secrets_goals_and_whispers_are_marked(html: str) -> None:
    text = Tags(html).text
    assert re.search(r"Secret ?She stole the oven", text)
    assert re.search(r"Private goal ?Sell the oven", text)
    assert re.search(r"only to [A-Z]", text)
    assert "The landlord will raise it next month." in text


def test_models_prompts_and_judges_are_named_with_their_hashes(
    html: str, store: EventStore
) -> None:
    text = Tags(html).text
    assert {"openai/gpt-test", "openai/judge-test", "judge-v1@0123456789ab"} <= set(text.split())
    for row in queries.evaluations(store, run=RUN):
        assert row.judge_hash in text


@pytest.mark.usefixtures("undrawn")
def test_a_long_run_keeps_its_transcripts_folded_and_still_escaped(
    store: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "UNFOLDED_UP_TO", 3)
    html = write_report(store, RUN, tmp_path / "long.html").read_text(encoding="utf-8")
    tags = Tags(html).tags
    later = [a for tag, a in tags if tag == "script" and a.get("class") == "later"]
    assert len(later) == EPISODES
    assert all(a["type"] == "text/plain" for a in later)
    assert html.count("</script>") == EPISODES + 1
    assert not [tag for tag, a in tags if tag == "li" and "seat-" in str(a.get("class"))]


def test_a_run_that_has_only_been_planned_has_a_report(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/store.db", durable=False)
    plan = Plan(
        name="later",
        environment="social",
        settings=EpisodeRules(),
        catalog="starter",
        minds=(mind(),),
    )
    planned = RunPlanned(
        plan=plan, episodes=(PlannedEpisode(id="e1", task="t", minds=("warm", "warm")),)
    )
    store.append("run-r1", NEW, [planned])
    html = write_report(store, "r1", tmp_path / "report.html").read_text(encoding="utf-8")
    store.close()
    assert "No judge has scored an episode of this run yet." in Tags(html).text
    assert "This episode was not begun." in Tags(html).text


@pytest.mark.usefixtures("undrawn")
def test_an_environment_may_have_a_section_of_its_own(
    store: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def data(gathered: RunData, histories: Histories) -> dict[str, object]:
        taken = sum(isinstance(event, ActionTaken) for _, events in histories for event in events)
        return {"run": gathered.run, "named": INJECTION, "taken": taken}

    section = ReportSection(
        id="turns",
        title="Turns & tosses",
        package="tests.evaluators",
        template="turns.html.j2",
        data=data,
    )
    brought = EvaluatorPlugin(environment="social", report=section)
    monkeypatch.setattr(page, "judging_of", lambda environment: brought)
    html = write_report(store, RUN, tmp_path / "report.html").read_text(encoding="utf-8")
    turns = sum(row.turns for row in queries.episodes(store, run=RUN))
    assert f"{turns} of {EPISODES} turns of <script>" in Tags(html).text
    assert '<h2 id="turns">Turns &amp; tosses</h2>' in html
    assert '<a href="#turns">Turns &amp; tosses</a>' in html
    assert INJECTION not in html


def test_an_unknown_run_is_refused_and_writes_nothing(store: EventStore, tmp_path: Path) -> None:
    with pytest.raises(UnknownId):
        write_report(store, "rnothing", tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(7.0, 0, "7"), (2 / 3, 0, "0.667"), (-2.5, 0, "−2.5"), (-0.01, 1, "0.0"), (None, 1, "—")],
)
def test_a_value_has_no_more_digits_than_it_needs(
    value: float | None, digits: int, text: str
) -> None:
    assert figure(value, digits) == text


@pytest.mark.parametrize(
    ("values", "common"),
    [((0.0, 1.0, 1.0), "1 (2)"), ((0.28, 0.3, 1.0), "0.3 (2)")],
)
def test_a_short_scale_is_cut_finer_where_its_values_are_no_whole_numbers(
    values: tuple[float, ...], common: str
) -> None:
    drawn = score_charts.histogram("h", "Won", Scale(0, 1), [score_charts.Series("judge", values)])
    assert f"3 scores, most often {common}" in drawn


@pytest.mark.usefixtures("undrawn")
def test_a_long_run_shows_a_choice_of_transcripts_and_says_which(
    store: EventStore, tmp_path: Path
) -> None:
    html = write_report(store, RUN, tmp_path / "report.html", most=6).read_text(encoding="utf-8")
    tags = Tags(html)
    shown = [a["id"] for tag, a in tags.tags if tag == "details" and a.get("class") == "episode"]
    assert len(shown) == 6
    given_up = {row.id for row in queries.episodes(store, run=RUN) if row.status == "failed"}
    assert given_up <= set(shown)
    assert f"These are 6 of {EPISODES} episodes: " in tags.text
    assert "something went wrong" in tags.text
    assert "among the lowest" in tags.text
    links = {str(a["href"]).removeprefix("#") for tag, a in tags.tags if tag == "a" and "href" in a}
    assert links <= {a.get("id") for _, a in tags.tags}


def test_the_choice_is_the_same_each_time(store: EventStore) -> None:
    gathered = gather(store, RUN)
    assert choose(gathered, 5) == choose(gathered, 5)
    assert len(choose(gathered, 5)) == 5
    assert choose(gathered, 0) == {}


def test_a_long_episode_counts_as_several_and_one_is_always_shown(store: EventStore) -> None:
    gathered = gather(store, RUN)
    long = [msgspec.structs.replace(row, turns=1_000) for row in gathered.episodes]
    gathered = msgspec.structs.replace(gathered, episodes=long)
    assert [len(choose(gathered, most)) for most in (0, 5, 25, 50, 25 * EPISODES)] == [
        0,
        1,
        1,
        2,
        EPISODES,
    ]


def test_the_figures_are_of_all_episodes_whatever_is_shown(
    html: str, shortened: tuple[str, Path]
) -> None:
    few, every = shortened[0], html
    start, until = '<h2 id="means">', '<h2 id="cost">'
    of_few, of_all = (
        # But for the links to those that are shown.
        re.sub(r'<a class="to"[^>]*>|</a>|marker">|; the transcripts of \d+ are not', "", found)
        for found in (few.split(start)[1].split(until)[0], every.split(start)[1].split(until)[0])
    )
    figures = [re.findall(r"<t[dh][^>]*>([^<]*)<", found) for found in (of_few, of_all)]
    assert figures[0] == figures[1]
    assert len(figures[0]) > 200


def test_the_other_transcripts_can_be_written_beside_it(
    store: EventStore, shortened: tuple[str, Path]
) -> None:
    html, folder = shortened
    shown = re.findall(r'<details class="episode" id="(\w+)"', html)
    others = {row.id for row in queries.episodes(store, run=RUN)} - set(shown)
    assert {path.stem for path in folder.iterdir()} == {*others, "index"}
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{id_}.html"' in index for id_ in others)
    assert 'href="rest/index.html"' in html
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert "default-src 'none'" in text
        assert INJECTION not in text
