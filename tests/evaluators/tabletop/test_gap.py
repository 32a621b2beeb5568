"""The gap between virtual game masters trained on played and on real sessions."""

import random
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

from actors.tabletop.setup import Session, Settings
from actors.tabletop.sight import SIGHT, AnswerSeen
from evaluators.tables.plain_tables import as_csv
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from evaluators.tabletop.gap.default_dms import LEXICON, LINEAR
from evaluators.tabletop.gap.played import (
    labels_of,
    played_session,
    repeated_turns,
)
from evaluators.tabletop.gap.procedure import (
    Compared,
    DMKind,
    GapRefused,
    Reading,
    compare,
    cut,
    scored,
    split_by_session,
)
from evaluators.tabletop.gap.real_data import own_transcripts
from evaluators.tabletop.gap.results import Played, gap_report, jackknife
from evaluators.tabletop.gap.tables import tables_of
from evaluators.tabletop.information import points_in, precision
from evaluators.tabletop.intentions import gap
from evaluators.tabletop.plugin import LEARNED
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from evaluators.tabletop.virtual_dms.port import VirtualDM
from events.base import replace
from events.episode import ActionFailure, ActionTaken, EpisodeEnded
from store.read_model.records import ScoreRow
from tests.evaluators.tabletop.play import history, played
from tests.evaluators.tabletop.virtual_dms.own_samples import labelled

REAL = own_transcripts()
SEEDS = range(1, 6)
FEW = Settings(turns=10)


def sample(*labels: tuple[str, str], session: str = "s", turn: int = 1) -> CallSample:
    return CallSample(
        session=session,
        turn=turn,
        lines=(SpokenLine("A", "I look around."), SpokenLine("B", "I listen.")),
        cast=("A", "B", "C"),
        labels=tuple(Label(who, skill) for who, skill in labels),  # type: ignore[arg-type]
    )


def by_hand() -> list[Reading]:
    right = [
        [("A", "Stealth")],
        [("B", "Insight")],
        [("A", "Perception"), ("C", "Stealth")],
    ]
    predicted = [
        [("A", "Stealth")],
        [("C", "Insight")],
        [("A", "Perception"), ("C", "Arcana")],
    ]
    return [
        Reading(seed=1, sample=sample(*labels), predicted=frozenset(sample(*found).labels))
        for labels, found in zip(right, predicted, strict=True)
    ]


def test_readings_are_counted_over_samples_and_averaged_beside() -> None:
    score = scored(by_hand())
    assert score is not None
    assert score.characters.f == pytest.approx(6 / 8)
    assert score.tuples.f == pytest.approx(4 / 8)
    assert score.mean_characters == pytest.approx(2 / 3)
    assert score.mean_tuples == pytest.approx(1 / 2)
    assert gap(score.characters.f, score.tuples.f) == pytest.approx(0.2)


@cache
def held_out() -> tuple[tuple[CallSample, ...], tuple[CallSample, ...]]:
    """Own transcripts: what is trained on, and what is scored on."""
    split = split_by_session(REAL.samples, 1)
    return split.train, split.test


def shuffled(samples: Sequence[CallSample]) -> list[CallSample]:
    """The same with labels of somebody, and something, else."""
    draw = random.Random(3)
    skills = [[label.skill for label in one.labels] for one in samples]
    draw.shuffle(skills)
    return [
        labelled(one, [Label(draw.choice(one.cast), skill) for skill in others])
        for one, others in zip(samples, skills, strict=True)
    ]


def both(compared: Compared, model: str) -> list[tuple[float, float]]:
    """By characters and by tuples, f_r and f_g, means over seeds."""
    return [
        (
            fmean(getattr(one, over).f for one in compared.real.scores if one),
            fmean(getattr(one, over).f for one in compared.generated[model].scores if one),
        )
        for over in ("characters", "tuples")
    ]


def test_the_same_samples_and_seed_have_no_gap_and_shuffled_labels_read_worse() -> None:
    train, test = held_out()
    compared = compare(
        LINEAR, train, {"same": train, "shuffled": shuffled(train)}, SEEDS, held_out=test
    )
    assert [gap(*one) for one in both(compared, "same")] == [0.0, 0.0]
    assert compared.generated["same"] == compared.real
    assert set(compared.trained_on) == {len(train)}
    for real, generated in both(compared, "shuffled"):
        assert generated < real


def test_the_same_seeds_make_the_same_tables_in_whatever_order_samples_come() -> None:
    sessions = [
        replace(played(f"intention-{n}", temper, FEW), episode=f"{temper}-{n}")
        for temper in ("plain", "chatty")
        for n in range(1, 13)
    ]
    first, again = (
        gap_report(Played(sessions=tuple(order)), [LINEAR], real, range(1, 4))
        for order, real in (
            (sessions, REAL),
            (
                [*sessions[:12][::-1], *sessions[12:][::-1]],
                REAL._replace(samples=REAL.samples[::-1]),
            ),
        )
    )
    assert as_csv(tables_of(first)) == as_csv(tables_of(again))
    other = gap_report(Played(sessions=tuple(sessions)), [LINEAR], REAL, range(11, 14))
    assert as_csv(tables_of(first)) != as_csv(tables_of(other))


def test_training_sets_have_one_size_and_no_session_of_the_held_out() -> None:
    fitted: list[tuple[int, set[str]]] = []

    class Watched(LexiconDM):
        def fit(self, samples: Sequence[CallSample]) -> None:
            fitted.append((len(samples), {one.session for one in samples}))

    few = [sample(("A", "Stealth"), session=f"few/{n}") for n in range(7)]
    many = [sample(("B", "Insight"), session=f"many/{n}") for n in range(40)]
    kind = DMKind("watched", lambda _: Watched(), LexiconDM)
    compared = compare(kind, REAL.samples, {"few": few, "many": many}, SEEDS)
    assert {size for size, _ in fitted} == {7} == set(compared.trained_on)
    for seed in SEEDS:
        split = split_by_session(REAL.samples, seed)
        test = {one.session for one in split.test}
        assert test.isdisjoint(one.session for one in split.train)
        assert len(split.test) >= 0.25 * len(REAL.samples)
        (real,) = (sessions for _, sessions in fitted[3 * (seed - 1) :][:1])
        assert test.isdisjoint(real)


def test_a_session_that_is_trained_on_and_held_out_is_refused() -> None:
    train, test = held_out()
    with pytest.raises(GapRefused, match="would be both trained on and held out"):
        compare(LEXICON, train, {"model": train}, SEEDS, held_out=[*test, train[0]])
    with pytest.raises(GapRefused, match="would be both trained on and held out"):
        compare(LEXICON, REAL.samples, {"model": REAL.samples}, SEEDS)
    one = [each for each in REAL.samples if each.session == REAL.samples[0].session]
    with pytest.raises(GapRefused, match="the real data has one session"):
        split_by_session(one, 1)
    with pytest.raises(GapRefused, match="no played session"):
        compare(LEXICON, REAL.samples, {"model": []}, SEEDS)


def test_a_session_under_two_names_is_one_session() -> None:
    train, test = held_out()
    renamed = [replace(one, session="another", labels=()) for one in train[:3]]
    with pytest.raises(GapRefused, match="by its turns, would be both trained on and held out"):
        compare(LEXICON, [*train, *renamed], {"model": train}, SEEDS)
    with pytest.raises(GapRefused, match=r"'another' by its turns, would be both"):
        compare(LEXICON, train, {"model": train}, SEEDS, held_out=[*test, *renamed])
    with pytest.raises(GapRefused, match="would be both trained on and held out"):
        compare(LEXICON, test, {"model": renamed}, SEEDS, held_out=train)
    short = [sample(("A", "Stealth"), session=name) for name in ("one", "two")]
    assert len(split_by_session(short, 1).test) == 1


def test_a_sample_without_a_readable_answer_is_not_counted_and_said() -> None:
    class Silent(VirtualDM):
        def fit(self, samples: Sequence[CallSample]) -> None:
            """Nothing."""

        def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
            raise AssertionError

        def predict_all(self, samples: Sequence[CallSample]) -> Sequence[frozenset[Label] | None]:
            return [None, *(frozenset(one.labels) for one in samples[1:])]

    kind = DMKind("silent", lambda _: Silent(), LexiconDM)
    sessions = tuple(played(f"intention-{n}", "plain", FEW) for n in range(1, 4))
    report = gap_report(Played(sessions=sessions), [kind], REAL, SEEDS)
    (row,) = report.gaps
    assert (row.failed.untrained, row.failed.generated, row.failed.real) == (0, 5, 5)
    assert row.tuples.real.value == row.tuples.generated.value == 100.0
    for table in tables_of(report)[:2]:
        assert "no answer for 0 samples untrained, 5" in table.note
        assert "the same for all" not in table.note


def test_a_virtual_game_master_without_any_readable_answer_has_no_figure() -> None:
    class Mute(LexiconDM):
        def predict_all(self, samples: Sequence[CallSample]) -> Sequence[frozenset[Label] | None]:
            return [None for _ in samples]

    sessions = tuple(played(f"intention-{n}", "plain", FEW) for n in range(1, 4))
    mute = DMKind("mute", lambda _: Mute(), Mute)
    report = gap_report(Played(sessions=sessions), [mute], REAL, SEEDS)
    (row,) = report.gaps
    for over in (row.characters, row.tuples):
        figures = (over.untrained, over.generated, over.real, over.gap)
        assert [one.value for one in figures] == [None] * 4
        assert (over.mean_untrained, over.mean_generated, over.mean_real) == (None,) * 3
    first, second, means = tables_of(report)[:3]
    assert f"no answer for {sum(report.held_out)} samples untrained" in first.note
    assert "no sample was scored" in first.note
    for table in (first, second, means):
        assert "100" not in as_csv([table])
    partly = DMKind("partly", lambda seed: Mute() if seed == 1 else LexiconDM(), LexiconDM)
    (some,) = gap_report(Played(sessions=sessions), [partly], REAL, SEEDS).gaps
    assert (some.tuples.real.n, some.tuples.untrained.n) == (4, 5)
    assert some.tuples.gap.value == 0


def score(episode: str, seat: int, value: float | None) -> ScoreRow:
    return ScoreRow(
        evaluation="e",
        episode=episode,
        run="r",
        judge="strict",
        judge_kind="model",
        judge_hash="0",
        seat=seat,
        mind="m",
        character="",
        dimension=LEARNED.name,
        status="failed" if value is None else "scored",
        value=value,
        reason="",
        evidence=(),
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([None] * 4, "plain: 4 of 4 scores by strict failed; so there is no P"),
        ([0.5, None], "plain: 1 of 2 scores by strict failed; they are not counted in P"),
        ([0.5], ""),
    ],
)
def test_scores_that_failed_are_told_of(values: list[float | None], told: str) -> None:
    session = replace(played("exchange-1", "plain", FEW), episode="a", model="plain")
    rows = tuple(score("a", seat, value) for seat, value in enumerate(values))
    report = gap_report(Played(sessions=(session,), scores=rows), [LEXICON], REAL, SEEDS)
    assert [one for one in report.left_out if "failed" in one] == ([told] if told else [])


def test_both_f_zero_have_no_gap() -> None:
    class Nobody(LexiconDM):
        def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
            return frozenset()

    kind = DMKind("nobody", lambda _: Nobody(), Nobody)
    sessions = (played("intention-1", "plain", FEW),)
    report = gap_report(Played(sessions=sessions), [kind], REAL, SEEDS)
    assert report.gaps[0].characters.gap.value is None
    assert ",,,," in as_csv(tables_of(report)[:1])


def test_the_interval_of_a_mean_is_students() -> None:
    spread = jackknife([10.0, 20.0, 30.0], fmean)
    assert (spread.value, spread.n) == (20.0, 3)
    # t(0.975, 2) = 4.3027; the standard error is 10 / sqrt(3).
    assert spread.low == pytest.approx(max(0.0, 20 - 4.3027 * 10 / 3**0.5), abs=1e-3)
    assert jackknife([1.0], fmean).low is None


def test_cut_samples_do_not_depend_on_their_order() -> None:
    train, _ = held_out()
    assert cut(train, 20, 4) == cut(train[::-1], 20, 4)
    assert cut(train, 20, 4) != cut(train, 20, 5)


def test_a_played_session_is_a_sample_of_its_last_turns_and_all_intentions() -> None:
    events = history("intention-1", "plain", Settings(turns=9, turn="round"))
    session = played_session(events, episode="e", task="intention-1", minds=["m"] * 5)
    assert session is not None
    assert session.sample is not None
    setup = events[0].setup  # type: ignore[attr-defined]
    assert isinstance(setup, Session)
    assert len(session.sample.lines) == 30
    assert session.turns == session.answers == 45
    assert {line.who for line in session.sample.lines} == {*session.sample.cast, "DM"}
    assert session.sample.cast == tuple(one.name for one in setup.characters[:4])
    assert session.sample.labels == labels_of(setup)
    assert {label.who for label in session.sample.labels} == set(session.sample.cast)


def test_a_session_that_did_not_end_is_no_sample_and_broken_answers_are_counted() -> None:
    events = history("intention-1", "plain", FEW)
    cut_short = [one for one in events if not isinstance(one, EpisodeEnded)]
    session = played_session(cut_short, episode="e", task="t", minds=["a", "b", "a"])
    assert session is not None
    assert (session.sample, session.ended, session.model) == (None, False, "a + b")
    failing = [
        replace(one, action=type(one.action)(), failure=ActionFailure(reason=reason, raw=""))
        if isinstance(one, ActionTaken) and (reason := reasons.get(one.turn))
        else one
        for reasons in [{2: "unreadable", 3: "timeout"}]
        for one in events
    ]
    broken = played_session(failing, episode="e", task="t", minds=["a"])
    assert broken is not None
    assert (broken.answers, broken.broken, broken.turns) == (10, 1, 8)


def test_a_turn_is_repeated_where_eight_words_in_a_row_were_said_before() -> None:
    said = "one two three four five six seven eight"
    assert repeated_turns([said, said]) == 1
    assert repeated_turns([said, f"Well: {said.upper()}!", "one two three"]) == 1
    assert repeated_turns([said, "two three four five six seven eight nine"]) == 0
    assert repeated_turns([f"{said} {said}"]) == 0


def test_who_says_the_name_of_their_skill_is_counted() -> None:
    events = history("intention-1", "plain", FEW)
    setup = events[0].setup  # type: ignore[attr-defined]
    skill = setup.intentions[0].skill
    telling = [
        replace(one, action=replace(one.action, text=f"I want to roll {skill.lower()}."))
        if isinstance(one, ActionTaken) and one.seat == 0
        else one
        for one in events
    ]
    before, after = (
        played_session(each, episode="e", task="t", minds=["m"]) for each in (events, telling)
    )
    assert before is not None
    assert after is not None
    assert (before.intentions, before.named, after.named) == (4, 0, 1)


def learned(task: str, temper: str) -> list[float]:
    """p of each player, by the terms of the key points."""
    view = SIGHT.view(history(task, temper), "narrator")
    points = view.setup.sheet.points  # type: ignore[union-attr]
    return [
        precision(len(points_in(one.text, points)), len(points))
        for one in view.noticed
        if isinstance(one, AnswerSeen)
    ]


def test_more_is_learned_from_an_open_than_from_a_guarded_character() -> None:
    found = {
        temper: fmean([p for n in range(1, 21) for p in learned(f"exchange-{n}", temper)])
        for temper in ("open", "guarded")
    }
    assert found["open"] > found["guarded"] + 0.2


def test_the_minds_of_the_plan_differ_in_what_they_tell_and_in_what_they_show() -> None:
    plan = tomllib.loads((Path(__file__).parents[3] / "plans" / "anteval.toml").read_text())
    tempers = [mind["temper"] for mind in plan["minds"].values()]
    shown = {str(played("intention-1", temper).sample) for temper in tempers}
    told = {
        fmean([p for n in range(1, 13) for p in learned(f"exchange-{n}", temper)])
        for temper in tempers
    }
    assert len(shown) == len(told) == len(tempers) > 1


@pytest.mark.long
def test_intentions_drowned_in_small_talk_have_the_largest_gap() -> None:
    """Over pairs of character and skill: who acts is read alike, as all players do in each."""
    sessions = tuple(
        replace(played(f"intention-{n}", temper), episode=f"{temper}-{n}")
        for temper in ("plain", "coloured", "chatty")
        for n in range(1, 451)
    )
    report = gap_report(Played(sessions=sessions), [LINEAR], REAL, range(1, 16))
    gaps = {one.model: one.tuples.gap.value or 0.0 for one in report.gaps}
    assert gaps["chatty"] > max(gaps["plain"], gaps["coloured"])
