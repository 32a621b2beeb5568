"""`troupe token` and `troupe audit`, as somebody at a terminal has them."""

import re
import time

import pytest

from gateway.cli.commands.people.tokens import seconds_of
from gateway.errors import BadArgument
from gateway.http.authentication import Access
from gateway.services.access.signed_tokens import BadToken
from gateway.settings import read_settings
from store.read_model import queries
from tests.gateway.command import Desk
from tests.support.runs import plan, record


async def test_a_token_is_issued_listed_and_revoked(desk: Desk) -> None:
    made = desk.does("token", "issue", "researcher", "--name", "mara", "--json").json
    assert made["link"].startswith("http://127.0.0.1:8700/enter#")
    rows = desk.does("token", "list", "--json").json
    assert [(row["principal"]["token"], row["principal"]["name"]) for row in rows] == [
        (made["id"], "mara")
    ]
    said = desk.does("token", "list").out
    assert "mara" in said
    assert made["token"] not in said

    store = desk.open()
    try:
        access = Access(read_settings({"TROUPE_DATA_DIR": str(desk.data_dir)}), store, {})
        assert (await access.principal(made["token"])).name == "mara"
        assert "Revoked" in desk.does("token", "revoke", made["id"][:6]).out
        assert "before" in desk.does("token", "revoke", made["id"]).out
        access.states.forget(made["id"])
        with pytest.raises(BadToken, match="revoked"):
            await access.principal(made["token"])
    finally:
        store.close()
    assert desk.does("token", "list", "--json").json == []
    assert len(desk.does("token", "list", "--all", "--json").json) == 1
    deeds = [(row["done"]["deed"], row["done"]["subject"]) for row in _audit(desk)]
    assert deeds == [("revoke token", made["id"]), ("issue token", made["id"])]
    assert "revoke token" in desk.does("audit").out


def test_a_token_is_printed_alone_for_a_file(desk: Desk) -> None:
    said = desk.does("token", "issue", "operator", "--raw")
    assert re.fullmatch(r"\S{40,}\n", said.out)
    assert said.err == ""
    assert desk.says("token", "issue", "operator", "--raw", "--json").code == 1


def _audit(desk: Desk) -> list[dict[str, dict[str, str]]]:
    return desk.does("audit", "--json").json


def test_a_participants_link_carries_one_seat(played: Desk, episode: str) -> None:
    made = played.does(
        "token", "issue", "participant", episode[:8], "--seat", "2", "--expires", "90m", "--json"
    ).json
    [row] = played.does("token", "list", "--json").json
    principal = row["principal"]
    assert (principal["episode"], principal["seat"], row["bound"]) == (episode, 1, True)
    assert re.fullmatch(r"p-[a-z2-7]{8}", principal["name"])
    assert abs(principal["expires"] / 1e6 - time.time() - 5_400) < 60
    assert len(made["link"]) < 200


def test_links_begin_with_the_public_address(desk: Desk) -> None:
    desk.set("TROUPE_PUBLIC_URL", "https://lab.example")
    said = desk.does("token", "issue", "annotator", "--any-device").out
    assert "\nhttps://lab.example/enter#" in said
    assert "belongs to the first" not in said


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("participant",), "takes part in a study"),
        (("spectator",), "watches one episode"),
        (("participant", "nothing", "--seat", "1"), "nothing"),
        (("researcher", "--seat", "1"), "a researcher has none"),
        (("researcher", "e1"), "for participants and spectators"),
        (("operator", "--study", "s1"), "for participants and annotators"),
        (("annotator", "--expires", "soon"), "such as 90m"),
        (("annotator", "--expires", "500d"), "400 days"),
    ],
)
def test_what_cannot_be_issued_is_refused_with_what_would_be_right(
    desk: Desk, arguments: tuple[str, ...], why: str
) -> None:
    said = desk.says("token", "issue", *arguments)
    assert (said.code, why in said.err) == (1, True), said
    assert desk.does("token", "list", "--json").json == []


def test_a_seat_that_is_not_there_is_refused(played: Desk, episode: str) -> None:
    for options, why in ((("--seat", "3"), "seats 1 to 2"), ((), "is missing")):
        said = played.says("token", "issue", "participant", episode, *options)
        assert (said.code, why in said.err) == (1, True), said


def test_a_link_to_a_seat_of_an_episode_that_has_not_begun_says_so(desk: Desk) -> None:
    store = desk.open()
    run = record(store, desk.folder, plan(tasks=1))
    episode = queries.episodes(store, run=run)[0].id
    store.close()
    said = desk.does("token", "issue", "participant", episode, "--seat", "2")
    assert f"Episode {episode} has not begun yet" in " ".join(said.out.split())
    made = desk.does("token", "issue", "participant", episode, "--seat", "1", "--json").json
    assert made["begun"] is False
    refused = desk.says("token", "issue", "participant", episode, "--seat", "3")
    assert (refused.code, "seats 1 to 2" in refused.err) == (1, True), refused


def test_an_unknown_token_is_not_revoked(desk: Desk) -> None:
    said = desk.says("token", "revoke", "knothing")
    assert (said.code, "there is no token" in said.err) == (1, True)


def test_lengths_of_time_have_a_unit() -> None:
    assert [seconds_of(text) for text in ("90m", "12h", "7d", "1.5h")] == [
        5400,
        43200,
        604800,
        5400,
    ]
    for text in ("", "7", "d", "-1d", "0m", "1y", "9" * 9 + "d"):
        with pytest.raises(BadArgument):
            seconds_of(text)
