"""What the framework says no to, as the API answers it."""

import pytest
from litestar.exceptions import HTTPException

from gateway.api.problems import answer_of


@pytest.mark.parametrize(
    ("status", "code", "answered"),
    [
        (300, "fault", 500),
        (400, "bad_request", 400),
        (401, "not_signed_in", 401),
        (403, "forbidden", 403),
        (404, "not_found", 404),
        (405, "method_not_allowed", 405),
        (413, "too_large", 413),
        (415, "unsupported_media_type", 415),
        (422, "bad_request", 400),
        (429, "too_many", 429),
        (500, "fault", 500),
    ],
)
def test_a_status_of_the_framework_has_a_code_of_ours(status: int, code: str, answered: int):
    problem = answer_of(HTTPException(detail="no", status_code=status)).problem
    assert (problem.code, problem.status) == (code, answered)
