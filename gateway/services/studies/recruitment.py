"""Recruitment platforms: what their links bring along, and where participants go at the end."""

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from events.privacy.encryption import Key
from events.study import Parameter, Recruitment

LONGEST = 200
"""Characters of a parameter's value that are kept."""
CODE = "{code}"


def redirect_fault(redirect: str) -> str:
    """Why participants cannot be sent there, as a sentence; empty where they can."""
    if not redirect:
        return ""
    try:
        parts = urlsplit(redirect.replace(CODE, "code"))
        fits = parts.scheme in ("https", "http") and bool(parts.hostname)
    except ValueError:
        fits = False
    if not fits or not redirect.isprintable():
        return "must be an address such as https://example.org/complete?cc={code}"
    return ""


def redirect_to(recruitment: Recruitment, code: str) -> str:
    """Where a participant goes at the end; empty: nowhere, or without a code that is needed."""
    redirect = recruitment.redirect
    if not redirect or (CODE in redirect and not code):
        return ""
    return redirect.replace(CODE, quote(code, safe=""))


def kept(recruitment: Recruitment, query: Mapping[str, str]) -> tuple[Parameter, ...]:
    """Those of a link's parameters that the study keeps."""
    found = ((name, query.get(name, "").strip()[:LONGEST]) for name in recruitment.keep)
    return tuple(Parameter(name=name, value=value) for name, value in found if value)


def lacking(recruitment: Recruitment, query: Mapping[str, str]) -> str:
    """The parameter that tells participants apart, where a link has none of it: whoever comes by it
    could come again and again. Empty: nothing is lacking."""
    own = recruitment.participant
    return own if own and not query.get(own, "").strip() else ""


def fingerprint(recruitment: Recruitment, parameters: tuple[Parameter, ...], key: Key) -> str:
    """What tells a participant apart, as nobody can guess it back who lacks the study's key;
    empty: nothing does."""
    own = next((one.value for one in parameters if one.name == recruitment.participant), "")
    if not own:
        return ""
    return hmac.new(key.secret, own.encode(), hashlib.sha256).hexdigest()[:32]
