"""Tokens say who somebody is, for a while, where they were signed."""

import stat
import string
from pathlib import Path

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.errors import BadSetting
from gateway.services.access.signed_tokens import BadToken, Signer, claims_of
from gateway.services.access.signing_keys import SecretUnreadable, read_keys
from gateway.services.access.token_repository import new_principal

KEY = b"k" * 32


def test_a_token_makes_its_holder_whom_it_was_signed_for():
    principal = new_principal("participant", episode="e1", seat=1, study="s1")
    claims = Signer([KEY]).read(Signer([KEY]).write(claims_of(principal)))
    seconds = principal.expires // 1_000_000 * 1_000_000
    assert claims.principal.expires == seconds
    assert (claims.sub, claims.episode, claims.seat, claims.study) == (
        principal.name,
        "e1",
        1,
        "s1",
    )
    assert principal.name.startswith("p-")


def test_after_a_new_secret_came_first_old_tokens_are_still_taken():
    principal = new_principal("researcher")
    old = Signer([KEY]).write(claims_of(principal))
    both = Signer([b"n" * 32, KEY])
    assert both.read(old).jti == principal.token
    with pytest.raises(BadToken, match="not signed here"):
        Signer([KEY]).read(both.write(claims_of(principal)))


def test_what_is_not_signed_by_us_or_says_too_little_is_no_token():
    signer = Signer([KEY])
    good = signer.write(claims_of(new_principal("operator")))
    head, body, signature = good.split(".")
    unsigned = jwt.encode({"jti": "k", "sub": "x", "role": "operator", "exp": 2**40}, "", "none")
    payload = {"jti": "k", "sub": "x", "role": "operator", "use": "session", "exp": 2**40}
    wrong = [
        {**payload, "role": "king"},
        {**payload, "seat": "first"},
        {k: v for k, v in payload.items() if k != "exp"},
        {k: v for k, v in payload.items() if k != "jti"},
        {k: v for k, v in payload.items() if k != "use"},
        {**payload, "exp": "later"},
    ]
    bad = ["", ".", "a.b.c", "ä", unsigned, f"{head}.{body}.", f"{head}.{body[:-1]}.{signature}"]
    bad += [jwt.encode(each, KEY, "HS256") for each in wrong]
    bad += [jwt.encode(payload, KEY * 3, "HS512"), good + "A" * 2_000]
    for text in bad:
        with pytest.raises(BadToken):
            signer.read(text)


@given(st.data())
def test_a_token_that_was_changed_anywhere_is_no_token(data: st.DataObject):
    signer = Signer([KEY])
    principal = new_principal("spectator", name="ann", episode="e1")
    good = signer.write(claims_of(principal))
    at = data.draw(st.integers(0, len(good) - 1))
    much = data.draw(st.integers(0, 3))
    instead = data.draw(
        st.text(st.sampled_from(string.ascii_letters + "0123456789-_.="), max_size=4)
    )
    changed = good[:at] + instead + good[at + much :]
    try:
        claims = signer.read(changed)
    except BadToken:
        return
    # Base64 has spare bits at its end: other letters, the same token.
    assert claims == signer.read(good)


@given(st.text(max_size=300) | st.binary(max_size=300).map(lambda raw: raw.decode("latin-1")))
def test_no_text_is_a_token(text: str):
    with pytest.raises(BadToken):
        Signer([KEY]).read(text)


def test_a_token_expires():
    signer = Signer([KEY])
    with pytest.raises(BadToken, match="expired"):
        signer.read(signer.write(claims_of(new_principal("operator", expires_s=-1))))


def test_the_secret_is_made_once_for_its_owner_alone(tmp_path: Path):
    keys = read_keys(tmp_path, "main", {})
    assert read_keys(tmp_path, "main", {}) == keys
    assert read_keys(tmp_path, "other", {}) != keys, "a token of one space is none of another"
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_the_secret_may_come_from_the_environment_or_a_file(tmp_path: Path):
    secret, older = "s" * 32, "o" * 40
    file = tmp_path / "mounted"
    file.write_text(f"{secret}\n\n{older}\n")
    here = read_keys(tmp_path, "main", {"TROUPE_SECRET": secret})
    there = read_keys(tmp_path, "main", {"TROUPE_SECRET_FILE": str(file)})
    assert (there[:1], len(there)) == (here, 2)
    assert not (tmp_path / "secret").exists()


def test_a_short_secret_is_refused_without_being_shown(tmp_path: Path):
    with pytest.raises(BadSetting, match="32 characters") as refused:
        read_keys(tmp_path, "main", {"TROUPE_SECRET": "hunter2"})
    assert "hunter2" not in str(refused.value)
    with pytest.raises(SecretUnreadable, match="cannot be kept"):
        read_keys(tmp_path, "main", {"TROUPE_SECRET_FILE": str(tmp_path / "none")})
