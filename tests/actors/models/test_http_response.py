"""Reading HTTP/1.1 responses out of whatever pieces they come in."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.models.http_response import LONGEST_HEAD, BadResponse, Response, ResponseReader

LENGTH = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = (
    b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"2\r\nhe\r\n3;name=value\r\nllo\r\n0\r\n\r\n"
)
TRAILERS = CHUNKED[:-2] + b"Checksum: 1\r\nMore: 2\r\n\r\n"
ANNOUNCED = b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + LENGTH
EMPTY = b"HTTP/1.1 204 No Content\r\n\r\n"
KEPT = LENGTH.replace(b"1.1", b"1.0").replace(b"text/plain", b"x\r\nConnection: keep-alive")
UNTIL_CLOSE = b"HTTP/1.0 200 OK\r\n\r\nhello"


def read(*pieces: bytes) -> Response | None:
    reader = ResponseReader()
    for piece in pieces:
        if (response := reader.feed(piece)) is not None:
            return response
    return reader.end()


@pytest.mark.parametrize(
    ("data", "status", "body"),
    [
        (LENGTH, 200, b"hello"),
        (CHUNKED, 429, b"hello"),
        (TRAILERS, 429, b"hello"),
        (ANNOUNCED, 200, b"hello"),
        (EMPTY, 204, b""),
        (UNTIL_CLOSE, 200, b"hello"),
    ],
)
@given(cuts=st.sets(st.integers(0, 200)))
def test_a_response_is_the_same_however_it_is_cut(
    data: bytes, status: int, body: bytes, cuts: set[int]
):
    edges = [0, *sorted(cut for cut in cuts if 0 < cut < len(data)), len(data)]
    pieces = [data[begin:end] for begin, end in pairwise(edges)]
    response = read(*pieces)
    assert response is not None
    assert (response.status, response.body) == (status, body)


@pytest.mark.parametrize("data", [LENGTH, CHUNKED, TRAILERS, ANNOUNCED])
def test_a_response_that_was_cut_off_is_none(data: bytes):
    for end in range(len(data)):
        assert read(data[:end]) is None


def test_the_names_of_headers_are_in_lower_case():
    response = read(CHUNKED)
    assert response is not None
    assert response.headers == {"retry-after": "2", "transfer-encoding": "chunked"}


@pytest.mark.parametrize(
    ("data", "reusable"),
    [
        (LENGTH, True),
        (CHUNKED, True),
        (LENGTH.replace(b"text/plain", b"x\r\nConnection: close"), False),
        (LENGTH.replace(b"1.1", b"1.0"), False),
        (
            LENGTH.replace(b"1.1", b"1.0").replace(b"text/plain", b"x\r\nConnection: keep-alive"),
            True,
        ),
        (LENGTH + b"more", False),
        (CHUNKED + b"more", False),
        (UNTIL_CLOSE, False),
    ],
)
def test_a_connection_is_used_again_where_the_server_keeps_it_and_nothing_is_left(
    data: bytes, reusable: bool
):
    response = read(data)
    assert response is not None
    assert response.reusable is reusable


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"SSH-2.0-OpenSSH\r\n\r\n", "no status"),
        (b"HTTP/1.1 OK\r\n\r\n", "no status"),
        (b"HTTP/2 200 OK\r\n\r\n", "no status"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "changes the protocol"),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "header without a name"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "length"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "encoded as 'gzip'"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+5\r\n", "without a size"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n", "longer than"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabcd\r\n", "than its size"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"x" * LONGEST_HEAD, "head is longer"),
    ],
)
def test_what_is_no_http_is_refused_with_a_reason(data: bytes, why: str):
    with pytest.raises(BadResponse, match=why.replace("+", r"\+")):
        read(data)


@given(st.binary(max_size=300))
def test_any_bytes_at_all_are_read_or_refused(data: bytes):
    for begun in (b"", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"):
        try:
            read(begun + data)
        except BadResponse:
            continue
