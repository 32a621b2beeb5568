"""Every operation of the document does what it says, on a store in which a run was played."""

from typing import Any

import pytest
from httpx import Response
from litestar import Litestar
from litestar.testing import TestClient
from openapi_spec_validator import validate

from gateway.api.operations import OPERATIONS, PREFIX, File, Operation
from tests.gateway.api.conftest import JUDGES, World
from tests.gateway.api.schemas import PROBLEM, answer_schema, complaints, openapi
from tests.gateway.served import client
from tests.support.runs import plan

NATS = {"score_run", "score_episode", "fork", "resume_episode", "list_workers", "get_jobs"}
LIVE = {"pause_episode", "step_episode", "go_on_episode", "edit_action", "narrate"}
SEATS = {"take_seat", "release_seat"}
PEOPLE = {"get_study", "export_a_study", "get_annotation", "export_annotations", "compare_people"}
STUDIES = {"open_study", "pause_study", "close_study", "erase_participant"}
JOBS = {"retry_job", "retry_all_jobs"}

READS = [one for one in OPERATIONS.values() if one.method == "GET"]
PLAN = plan(tasks=1, judges=JUDGES)


def address(operation: Operation, world: World) -> str:
    ids = world.ids
    if operation.id == "get_curves":
        ids["run"] = world.chains
    if operation.id in ("draw_sheet", "validate_judge"):
        ids["judge"] = "belext-rule"
    return PREFIX + operation.path.format(**ids)


def queries(world: World) -> dict[str, dict[str, Any]]:
    return {
        "compare_some_runs": {"run": [world.run, world.other]},
        "compare_two_judges": {
            "run": world.run,
            "judge": ["rehearsal-strict", "rehearsal-lenient"],
        },
        "list_evaluations": {"run": world.run},
        "search_catalogs": {"text": "coat"},
        "get_template": {"environment": "social", "name": "mine"},
        "get_turn_calls": {"seat": 1},
        "get_memory": {"seat": 1, "index": 1},
        "get_account": {"viewer": "2", "at": 2},
        "list_episodes": {"run": world.run, "sort": "-turns", "mind": "generous"},
    }


def held(response: Response, operation: Operation) -> Any:
    """The JSON of an answer, which must be as the document says."""
    assert response.status_code == operation.status, response.text
    schema = answer_schema(PREFIX + operation.path, operation.method)
    assert schema is not None
    assert complaints(schema, response.json()) == []
    return response.json()


@pytest.mark.long
def test_the_document_is_openapi() -> None:
    validate(openapi())


def test_what_is_read_is_as_the_document_says(world: World, api: TestClient[Litestar]) -> None:
    api.get(f"{PREFIX}/catalogs")  # the environments' own come in at first use
    head = world.head
    for operation in READS:
        if operation.id in NATS | PEOPLE | {"draw_sheet", "get_curves"}:
            continue  # tried by themselves
        path, params = address(operation, world), queries(world).get(operation.id)
        response = api.get(path, params=params)
        if operation.answer is File:
            assert response.status_code == 200, response.text
            assert "attachment" in response.headers["content-disposition"]
            assert response.content
            continue
        held(response, operation)
        etag = response.headers["etag"]
        again = api.get(path, params=params, headers={"if-none-match": etag})
        assert again.status_code == 304 or operation.keeping == "no", operation.id
    assert world.head == head


def test_curves_are_drawn_of_what_was_scored(world: World, api: TestClient[Litestar]) -> None:
    held(api.get(f"{PREFIX}/runs/{world.chains}/curves"), OPERATIONS["get_curves"])


def test_a_plan_becomes_a_run_that_waits_for_a_server(api: TestClient[Litestar]) -> None:
    started = held(api.post(f"{PREFIX}/runs", json={"plan": PLAN}), OPERATIONS["start_run"])
    assert started["standing"]["state"] == "waits for a server"
    stopped = api.post(f"{PREFIX}/runs/{started['run']}/stop", json={"for_good": False})
    assert held(stopped, OPERATIONS["stop_a_run"])["outcome"] == "stopped"
    resumed = api.post(f"{PREFIX}/runs/{started['run']}/resume", json={"budget_usd": 5})
    assert held(resumed, OPERATIONS["resume_a_run"])["standing"]["state"] == "waits for a server"
    ended = api.post(f"{PREFIX}/runs/{started['run']}/stop", json={"for_good": True})
    assert held(ended, OPERATIONS["stop_a_run"])["outcome"] == "stopped"


def test_a_plan_is_forecast_and_nothing_is_stored(world: World, api: TestClient[Litestar]) -> None:
    head = world.head
    found = held(api.post(f"{PREFIX}/forecasts", json={"plan": PLAN}), OPERATIONS["forecast_run"])
    assert found["episodes"] == 4
    assert world.head == head


def test_a_plan_reads_no_files_of_the_server(api: TestClient[Litestar]) -> None:
    text = PLAN.replace(JUDGES, '["/etc/passwd.toml"]')
    refused = api.post(f"{PREFIX}/runs", json={"plan": text})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_file")
    assert "there is no judge" in refused.json()["detail"]
    text = PLAN.replace("[tasks]", '[tasks]\nlist = "/etc/passwd"')
    assert text != PLAN
    refused = api.post(f"{PREFIX}/runs", json={"plan": text})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_file")
    assert "write the lines of the list here" in refused.json()["detail"]


def test_a_judge_of_ones_own_comes_along_with_a_plan(api: TestClient[Litestar]) -> None:
    text = PLAN.replace(JUDGES, '["mine"]')
    judge = 'name = "mine"\nkind = "rehearsal"\ntemper = "lenient"\n'
    started = api.post(f"{PREFIX}/runs", json={"plan": text, "judges": {"mine": judge}})
    held(started, OPERATIONS["start_run"])
    added = held(api.post(f"{PREFIX}/judges", json={"text": judge}), OPERATIONS["add_a_judge"])
    found = held(api.get(f"{PREFIX}/judges/{added['hash']}"), OPERATIONS["get_judge"])
    assert found["judge"]["name"] == "mine"


def test_a_run_is_hidden_and_named_again(world: World, api: TestClient[Litestar]) -> None:
    path = f"{PREFIX}/runs/{world.run}"
    assert held(api.post(f"{path}/archive"), OPERATIONS["archive_a_run"])["changed"]
    listed = api.get(f"{PREFIX}/runs").json()["items"]
    assert world.run not in [row["id"] for row in listed]
    assert held(api.post(f"{path}/unarchive"), OPERATIONS["unarchive_a_run"])["changed"]
    listed = api.get(f"{PREFIX}/runs").json()["items"]
    assert world.run in [row["id"] for row in listed]


def test_what_is_over_is_stopped_without_a_change(world: World, api: TestClient[Litestar]) -> None:
    head = world.head
    for path, id_ in (
        (f"/episodes/{world.episode}/stop", "stop_episode"),
        (f"/chains/{world.chain}/stop", "stop_a_chain"),
    ):
        assert held(api.post(PREFIX + path), OPERATIONS[id_])["outcome"] == "over"
    assert world.head == head


def test_a_catalog_goes_out_and_comes_back_under_another_name(api: TestClient[Litestar]) -> None:
    files = held(api.get(f"{PREFIX}/catalogs/starter/files"), OPERATIONS["get_files"])["files"]
    body = {"files": files, "name": "mine"}
    checked = held(api.post(f"{PREFIX}/catalog-checks", json=body), OPERATIONS["check_catalog"])
    assert checked["may_come_in"]
    assert "pairs for a scenario" in {one["name"] for one in checked["standards"]}
    assert all(one["met"] for one in checked["standards"])
    brought = held(api.post(f"{PREFIX}/catalogs", json=body), OPERATIONS["import_catalog"])
    assert brought["outcome"] == "imported"
    again = held(api.post(f"{PREFIX}/catalogs", json=body), OPERATIONS["import_catalog"])
    assert again["outcome"] == "unchanged"


def test_a_catalog_with_errors_is_refused_whole(world: World, api: TestClient[Litestar]) -> None:
    files = {"catalog.toml": 'environment = "social"\nname = "odd"\n', "tasks.toml": "[[task]]\n"}
    api.get(f"{PREFIX}/catalogs")
    head = world.head
    refused = api.post(f"{PREFIX}/catalogs", json={"files": files})
    assert refused.status_code == 422
    assert "/tmp" not in refused.text
    assert world.head == head


@pytest.mark.parametrize("name", ["../x.toml", "/etc/x", "a/b/c.toml", "x\u0000", ".."])
def test_names_of_files_stay_in_their_folder(name: str, api: TestClient[Litestar]) -> None:
    refused = api.post(f"{PREFIX}/catalogs", json={"files": {name: ""}})
    assert refused.status_code == 422


def test_an_export_comes_back_without_a_change(world: World, api: TestClient[Litestar]) -> None:
    exported = api.get(f"{PREFIX}/exports/{world.run}").content
    head = world.head
    brought = api.post(
        f"{PREFIX}/imports",
        content=exported,
        headers={"content-type": "application/octet-stream", "idempotency-key": "one"},
    )
    assert held(brought, OPERATIONS["import_episodes"])["stored"] == 0
    assert world.head == head


def test_tables_are_exported_as_a_zip_file(world: World, api: TestClient[Litestar]) -> None:
    found = api.get(f"{PREFIX}/exports/{world.run}", params={"format": "parquet"})
    assert found.content[:2] == b"PK"


def test_projections_are_rebuilt_and_the_store_is_sound(api: TestClient[Litestar]) -> None:
    rebuilt = api.post(f"{PREFIX}/projections/rebuild", json={"names": ["runs"]})
    assert set(held(rebuilt, OPERATIONS["rebuild_projections"])) == {"runs"}
    found = held(api.post(f"{PREFIX}/verifications"), OPERATIONS["verify_store"])
    assert found["findings"] == []


def test_a_judge_that_decides_no_checkpoints_has_no_sheet(
    world: World, api: TestClient[Litestar]
) -> None:
    path = f"{PREFIX}/judges/rehearsal-strict"
    assert api.get(f"{path}/sheet").json()["code"] == "unknown_name"
    sheet = "episode,seat,checkpoint,label\n"
    assert api.post(f"{path}/validation", json={"labels": sheet}).status_code == 422


def test_a_token_is_issued_listed_and_revoked(world: World, api: TestClient[Litestar]) -> None:
    body = {"role": "spectator", "episode": world.episode, "lasts_s": 60}
    made = api.post(f"{PREFIX}/tokens", json=body, headers={"idempotency-key": "t"})
    issued = held(made, OPERATIONS["issue_token"])
    again = api.post(f"{PREFIX}/tokens", json=body, headers={"idempotency-key": "t"})
    assert (again.status_code, again.json()["code"]) == (409, "answered_once")
    path = f"{PREFIX}/episodes/{world.episode}/account"
    spectator = {"authorization": f"Bearer {issued['token']}"}
    assert api.get(path, headers=spectator).json()["viewer"] == "spectator"
    listed = held(api.get(f"{PREFIX}/tokens"), OPERATIONS["list_tokens"])["items"]
    assert issued["id"] in [one["principal"]["token"] for one in listed]
    assert issued["token"] not in str(listed)
    gone = held(api.delete(f"{PREFIX}/tokens/{issued['id']}"), OPERATIONS["revoke_token"])
    assert gone["changed"]
    deeds = held(api.get(f"{PREFIX}/audit"), OPERATIONS["list_deeds"])
    assert [one["done"]["deed"] for one in deeds[:2]] == ["revoke token", "issue token"]


def test_what_a_link_was_used_to_write_is_erased(world: World, api: TestClient[Litestar]) -> None:
    body = {"role": "participant", "episode": world.episode, "seat": 1}
    issued = api.post(f"{PREFIX}/tokens", json=body).json()
    erased = api.post(f"{PREFIX}/tokens/{issued['id']}/erase")
    assert held(erased, OPERATIONS["erase_words"])["changed"] is False
    assert api.post(f"{PREFIX}/tokens/k0/erase").json()["code"] == "unknown_id"


def test_researchers_issue_no_tokens_of_their_own_role(world: World) -> None:
    with client(world.gateway, "researcher") as researcher:
        told = researcher.post(f"{PREFIX}/tokens", json={"role": "operator"})
        assert (told.status_code, told.json()["code"]) == (403, "forbidden")
        body = {"role": "participant", "episode": world.episode, "seat": 3}
        told = researcher.post(f"{PREFIX}/tokens", json=body)
        assert told.json()["field"] == "seat"


def test_people_are_asked_to_judge(world: World, api: TestClient[Litestar]) -> None:
    refused = api.post(f"{PREFIX}/annotations", json={"runs": [world.run], "judge": "/etc/x.toml"})
    assert (refused.status_code, refused.json()["field"]) == (422, "judge")
    body = {"runs": [world.run], "name": "mine", "annotators": 2}
    made = held(api.post(f"{PREFIX}/annotations", json=body), OPERATIONS["plan_annotation"])
    path = f"{PREFIX}/annotations/{made['id']}"
    held(api.get(path), OPERATIONS["get_annotation"])
    held(api.post(f"{path}/close"), OPERATIONS["close_annotation"])
    held(api.post(f"{path}/open"), OPERATIONS["open_annotation"])
    assert api.get(f"{path}/export").text.startswith("item,")


def test_an_annotation_study_is_planned_by_the_text_of_its_file(
    world: World, api: TestClient[Litestar]
) -> None:
    text = f'runs = ["{world.run}"]\nannotators = 2\njudge = "ours"\n'
    judge = 'name = "ours"\nkind = "rehearsal"\ntemper = "lenient"\n'
    body = {"plan": text, "judges": {"ours": judge}}
    head = world.head
    checked = api.post(f"{PREFIX}/annotation-checks", json=body)
    meant = held(checked, OPERATIONS["check_annotation"])
    assert (meant["items"], meant["wanted"], meant["several"]) == (4, 8, 4)
    for wrong in ({"plan": text}, body | {"annotators": 3}, body | {"plan": text + "size = 1"}):
        assert api.post(f"{PREFIX}/annotations", json=wrong).status_code == 422
    assert world.head == head
    made = held(api.post(f"{PREFIX}/annotations", json=body), OPERATIONS["plan_annotation"])
    assert (made["items"], made["wanted"]) == (4, 8)


def test_a_study_is_checked_planned_and_opened_by_the_text_of_its_file(
    world: World, api: TestClient[Litestar]
) -> None:
    api.get(f"{PREFIX}/catalogs")
    text = held(api.get(f"{PREFIX}/study-template"), OPERATIONS["get_study_template"])["plan"]
    head = world.head
    checked = api.post(f"{PREFIX}/study-checks", json={"plan": text})
    meant = held(checked, OPERATIONS["check_study"])
    assert [one["people"] for one in meant["conditions"]] == [2, 1]
    wrong = api.post(f"{PREFIX}/studies", json={"plan": text.replace("[study]", "[studie]")})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad_file")
    assert world.head == head
    body, key = {"plan": text, "open": True}, {"idempotency-key": "s"}
    made = held(api.post(f"{PREFIX}/studies", json=body, headers=key), OPERATIONS["plan_a_study"])
    assert (made["status"], made["link"]) == ("open", f"/join/{made['id']}")
    again = api.post(f"{PREFIX}/studies", json=body, headers=key)
    assert again.json()["id"] == made["id"]
    listed = api.get(f"{PREFIX}/studies").json()["items"]
    assert [one["id"] for one in listed] == [made["id"]]


def test_a_character_is_asked_about_what_it_lived_through(
    world: World, api: TestClient[Litestar]
) -> None:
    path = f"{PREFIX}/episodes/{world.episode}/interviews"
    begun = held(api.post(path, json={"seat": 1}), OPERATIONS["begin_an_interview"])
    asked = api.post(f"{path}/{begun['number']}/questions", json={"question": "Why?"})
    assert held(asked, OPERATIONS["ask_character"])["text"]
    (found,) = held(api.get(path), OPERATIONS["list_interviews"])
    assert [one["question"] for one in found["exchanges"]] == ["Why?"]


def test_studies_that_do_not_exist_are_named(world: World, api: TestClient[Litestar]) -> None:
    for operation in OPERATIONS.values():
        if operation.id in STUDIES | {"get_study", "export_a_study"}:
            told = api.request(operation.method, address(operation, world))
            assert (told.status_code, told.json()["code"]) == (404, "unknown_id"), operation.id


def test_operations_are_for_the_roles_that_they_name(world: World) -> None:
    for role in ("researcher", "annotator", "participant", "spectator"):
        with client(world.gateway, role, episode=world.episode, seat=0) as other:
            for operation in READS:
                if role not in operation.roles:
                    told = other.get(address(operation, world))
                    assert (told.status_code, told.json()["code"]) == (403, "forbidden")
                    assert complaints(PROBLEM, told.json()) == []


def test_nobody_is_let_in_without_a_token(world: World) -> None:
    with client(world.gateway) as nobody:
        for operation in OPERATIONS.values():
            told = nobody.request(operation.method, address(operation, world))
            assert (told.status_code, told.json()["code"]) == (401, "not_signed_in")


def test_every_operation_is_tried_here_or_over_nats() -> None:
    source = open(__file__, encoding="utf-8").read()  # noqa: PTH123, SIM115
    elsewhere = NATS | LIVE | SEATS | JOBS | STUDIES
    for operation in OPERATIONS.values():
        tried = f'"{operation.id}"' in source or operation in READS
        assert tried or operation.id in elsewhere, operation.id
