"""What stands in the place of a part of an address."""

from gateway.http.route_modules import ROUTES


def test_a_placeholder_is_a_whole_segment_since_no_other_is_ever_matched() -> None:
    paths = {path for part in ROUTES for one in part() for path in getattr(one, "paths", ())}
    assert any("{" in path for path in paths)
    segments = {segment for path in paths for segment in path.split("/") if "{" in segment}
    assert {one for one in segments if not (one.startswith("{") and one.endswith("}"))} == set()
