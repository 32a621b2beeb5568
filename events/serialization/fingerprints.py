"""Fingerprints of configurations: equal fingerprints mean equal configurations."""

import msgspec

from events.evaluation import JudgeSpec
from events.ids import EVALUATION, derived_id, digest_of
from events.serialization.codec import encode
from events.serialization.identity_key import cached_by_identity
from events.serialization.struct_types import decodable

_judges = msgspec.msgpack.Decoder(decodable(JudgeSpec))


# Asked several times an episode, of the few judges that a run has.
@cached_by_identity(maxsize=64)
def judge_hash(judge: JudgeSpec) -> str:
    """The fingerprint of a judge's whole specification, the same before and after it was stored
    or sent: a range written as ``0`` comes back as ``0.0``."""
    stored = encode(_judges.decode(encode(judge)))
    # As plain values: how a struct's map is encoded depends on how many fields there might be.
    return digest_of(msgspec.msgpack.encode(msgspec.msgpack.decode(stored)))


def evaluation_id(episode: str, judge: JudgeSpec, after: str = "") -> str:
    """The id of a judge's evaluation of an episode: asked for twice, it meets the same stream.
    ``after``: the judge's last evaluation of it, where there is to be another."""
    return derived_id(EVALUATION, episode, judge_hash(judge), *([after] if after else []))
