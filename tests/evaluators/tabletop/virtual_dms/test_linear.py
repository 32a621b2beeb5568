"""Linear models: what they learn, and that the same is learned from the same."""

import time
from collections.abc import Sequence
from importlib.util import find_spec

import pytest

from actors.tabletop.skills import SKILLS
from evaluators.tabletop.calls.cast import found_cast
from evaluators.tabletop.calls.samples import (
    CallSample,
    Label,
    SpokenLine,
    samples_of,
)
from evaluators.tabletop.calls.transcripts import read_transcript
from evaluators.tabletop.intentions import counts_of
from evaluators.tabletop.virtual_dms import dm_file, needed
from evaluators.tabletop.virtual_dms.cross_validation import folds_of, own_score
from evaluators.tabletop.virtual_dms.dm_file import LinearFile, make_dm
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from evaluators.tabletop.virtual_dms.needed import ExtraMissing
from evaluators.tabletop.virtual_dms.port import VirtualDM, data_hash
from tests.evaluators.tabletop.virtual_dms.own_samples import (
    CAST,
    labelled,
    no_callers,
    own_samples,
    plain,
    plain_samples,
)
from tests.properties.published import DATA

CRD3 = DATA / "crd3"
installed = pytest.mark.skipif(
    find_spec("sklearn") is None, reason="scikit-learn is not installed: make dev"
)


def linear(seed: int = 0) -> VirtualDM:
    return make_dm(LinearFile(), no_callers, seed)


@installed
def test_who_acts_and_what_is_meant_is_learned_without_names() -> None:
    dm = linear()
    dm.fit(plain_samples())
    new = plain("new", "Bo", "Arcana")
    renamed = [SpokenLine("Zoe" if one.who == "Bo" else one.who, one.text) for one in new.lines]
    assert dm.predict(new.lines, CAST) == {Label("Bo", "Arcana")}
    assert dm.predict(renamed, ("Ada Reed", "Zoe", "Cem")) == {Label("Zoe", "Arcana")}


@installed
def test_the_same_samples_in_any_order_teach_the_same() -> None:
    samples = own_samples()
    dm, again = linear(3), linear(3)
    dm.fit(samples)
    again.fit(samples[::-1])
    assert dm.trained_on == again.trained_on == data_hash(samples)
    assert dm.predict_all(samples) == again.predict_all(samples)
    assert dm.predict_all(samples[:9]) == [dm.predict(one.lines, one.cast) for one in samples[:9]]
    blind = [labelled(one, ()) for one in samples]
    assert dm.predict_all(blind) == dm.predict_all(samples), "labels are not looked at"


@installed
def test_shuffled_labels_teach_less() -> None:
    samples = plain_samples()
    wrong = [labelled(one, (Label(CAST[n % 3], SKILLS[n % 5]),)) for n, one in enumerate(samples)]
    held_out = [plain("new", who, skill) for who in CAST for skill in ("Stealth", "Arcana")]

    def f(train: list[CallSample]) -> float:
        dm = linear()
        dm.fit(train)
        found = dm.predict_all(held_out)
        pairs = zip(held_out, found, strict=True)
        return counts_of([(set(one.labels), set(given or ())) for one, given in pairs]).f

    assert f(samples) == 1.0
    assert f(wrong) < 0.5


@installed
def test_sets_of_any_size_come_out() -> None:
    both = []
    for one in plain_samples():
        lines = (*one.lines, SpokenLine("Cem", "I sneak into the shadow, quiet and unseen, too."))
        labels = (*one.labels, Label("Cem", "Stealth"))
        both.append(
            labelled(
                CallSample(
                    session=one.session, turn=one.turn, lines=lines, cast=CAST, labels=one.labels
                ),
                labels,
            )
        )
    dm = linear()
    dm.fit(both)
    sizes = {len({label.who for label in found or ()}) for found in dm.predict_all(both)}
    assert 2 in sizes


@installed
def test_one_skill_in_training_is_the_only_one_that_is_predicted() -> None:
    dm = linear()
    dm.fit(plain_samples("Stealth"))
    new = plain("new", "Ada Reed", "Arcana")
    assert dm.predict(new.lines, CAST) == {Label("Ada Reed", "Stealth")}


@installed
def test_two_skills_are_told_apart() -> None:
    dm = linear()
    dm.fit(plain_samples("Stealth", "Medicine"))
    for skill in ("Stealth", "Medicine"):
        new = plain("new", "Cem", skill)
        assert dm.predict(new.lines, CAST) == {Label("Cem", skill)}


@installed
def test_nobody_is_predicted_where_nobody_spoke() -> None:
    dm = linear()
    dm.fit(plain_samples())
    assert dm.predict((), CAST) == frozenset()
    assert dm.predict([SpokenLine("DM", "Welcome.")], CAST) == frozenset()


@installed
def test_samples_that_teach_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing to learn from"):
        linear().fit([labelled(one, ()) for one in plain_samples()])
    with pytest.raises(ValueError, match="fitted before it is asked"):
        linear().predict((), CAST)


@installed
def test_a_single_sample_and_words_that_stand_once_are_enough() -> None:
    dm = linear()
    dm.fit([plain("one", "Bo", "Stealth")])
    assert dm.predict(plain("new", "Bo", "Arcana").lines, CAST) == {Label("Bo", "Stealth")}


@installed
def test_it_fits_and_predicts_fast_enough() -> None:
    """The limits with room for a busy machine; `make bench` has the figures."""
    samples = [
        CallSample(session=f"s{n // 6}", turn=n, lines=one.lines, cast=one.cast, labels=one.labels)
        for n, one in enumerate((own_samples() * 8)[:600])
    ]
    dm = linear()
    begun = time.process_time()
    dm.fit(samples)
    fitted = time.process_time()
    dm.predict_all(samples)
    assert fitted - begun < 20
    assert time.process_time() - fitted < 3


@installed
@pytest.mark.published
@pytest.mark.skipif(not CRD3.is_dir(), reason=f"the transcripts of CRD3 are not in {CRD3}")
def test_sessions_of_crd3_are_read_better_than_by_words_alone() -> None:
    """Calls that ask one character; each session by what the three others taught."""
    transcripts = [read_transcript(path) for path in sorted(CRD3.glob("*.json"))]
    cast = found_cast(transcripts)
    assert cast is not None
    samples = [
        one
        for one in samples_of(transcripts, cast).samples
        if len({label.who for label in one.labels}) == 1
    ]
    ours, words = own_score(linear, samples, 0), own_score(LexiconDM, samples, 0)
    assert ours is not None
    assert words is not None
    assert ours.folds == 4
    assert (ours.characters or 0) > max(0.6, words.characters or 0)
    assert (ours.tuples or 0) > max(0.2, words.tuples or 0)


def test_without_scikit_learn_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed, "find_spec", lambda _: None)
    with pytest.raises(ExtraMissing, match=r"linear needs scikit-learn.*troupe-server\[tabletop\]"):
        linear()
    made = make_dm(dm_file.LexiconFile(), no_callers)
    made.fit(plain_samples())
    assert made.predict(plain("new", "Bo", "Arcana").lines, CAST) == {Label("Bo", "Arcana")}


def test_the_lexicon_reads_words_and_phrases() -> None:
    dm = LexiconDM()
    lines = [SpokenLine("Bo", "Look through the drawers!"), SpokenLine("DM", "You do.")]
    assert dm.predict(lines, CAST) == {Label("Bo", "Investigation")}
    assert dm.predict([SpokenLine("Bo and Cem", "Hm.")], CAST) == {Label("Bo", "Perception")}
    assert dm.predict([SpokenLine("DM", "Hm.")], CAST) == frozenset()


def test_parts_share_no_session() -> None:
    samples = own_samples()
    folds = folds_of(samples, 1)
    assert sorted(place for fold in folds for place in fold) == list(range(len(samples)))
    sessions = [{samples[place].session for place in fold} for fold in folds]
    assert len(set.union(*sessions)) == sum(map(len, sessions)) == 5
    one = [plain("same", "Bo", "Stealth", turn=n) for n in range(7)]
    assert [len(fold) for fold in folds_of(one, 1)] == [2, 2, 1, 1, 1]
    assert len(folds_of(one[:1], 1)) == 1


def test_a_score_is_of_sessions_that_were_not_learned_from() -> None:
    seen: list[set[str]] = []

    class Watching(LexiconDM):
        def fit(self, samples: object) -> None:
            seen.append({one.session for one in samples})

        def predict_all(self, samples: object) -> object:
            assert not seen[-1] & {one.session for one in samples}
            return [None, *[frozenset(one.labels) for one in samples[1:]]]

    samples = plain_samples(sessions=6)
    score = own_score(Watching, samples, 0)
    assert score is not None
    assert (score.characters, score.tuples, score.failed, score.folds) == (1.0, 1.0, 5, 5)
    assert own_score(Watching, samples[:1], 0) is None


def test_without_any_readable_answer_there_is_no_score() -> None:
    class Mute(LexiconDM):
        def predict_all(self, samples: Sequence[CallSample]) -> Sequence[frozenset[Label] | None]:
            return [None for _ in samples]

    samples = plain_samples(sessions=6)
    score = own_score(Mute, samples, 0)
    assert score is not None
    assert (score.characters, score.tuples, score.failed) == (None, None, len(samples))
