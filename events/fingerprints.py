"""Fingerprints of what is configured: same fingerprint, same thing."""

from events.codec import encode
from events.evaluation import JudgeSpec
from events.ids import EVALUATION, derived_id, digest_of


def judge_hash(judge: JudgeSpec) -> str:
    """The fingerprint of a judge's whole specification."""
    return digest_of(encode(judge))


def evaluation_id(episode: str, judge: JudgeSpec) -> str:
    """The id of a judge's evaluation of an episode: asked for twice, it meets the same stream."""
    return derived_id(EVALUATION, episode, judge_hash(judge))
