"""Errors as callers meet them: what a person can act on is one class, in a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from gateway.error_sentences import sentence_of
from gateway.errors import GatewayError


@contextmanager
def in_sentences() -> Iterator[None]:
    """Raises ``GatewayError`` for what the command line would tell in a sentence; a fault of ours
    stays what it is."""
    try:
        yield
    except GatewayError:
        raise
    except Exception as error:
        sentence = sentence_of(error)
        if sentence is None:
            raise
        raise GatewayError(sentence) from error
