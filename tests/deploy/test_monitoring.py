"""Dashboards and rules speak of what is really exposed."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.deploy.metric_names import exposed, named_in

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
RULES = (DEPLOY / "prometheus" / "recording.yml", DEPLOY / "prometheus" / "alerts.yml")
DASHBOARDS = sorted((DEPLOY / "grafana" / "dashboards").glob("*.json"))
PROMTOOL = shutil.which("promtool")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="needs promtool (make prometheus)")

NAMED = (
    "gen_ai_client_operation_duration_seconds",
    "gen_ai_client_token_usage",
    "troupe_llm_cost_usd_total",
    "troupe_llm_retries_total",
    "troupe_llm_inflight_requests",
    "troupe_llm_parse_failures_total",
    "troupe_turn_duration_seconds",
    "troupe_episodes_total",
    "troupe_episodes_active",
    "troupe_scores_total",
    "troupe_store_append_duration_seconds",
    "troupe_store_conflicts_total",
    "troupe_store_head_position",
    "troupe_projection_lag_events",
    "troupe_actor_mailbox_depth",
    "troupe_actor_failures_total",
    "troupe_ws_connections",
    "troupe_ws_disconnects_total",
)
"""What every version has promised to expose under these names."""


def rules() -> list[dict[str, str]]:
    groups = [group for path in RULES for group in yaml.safe_load(path.read_text())["groups"]]
    return [rule for group in groups for rule in group["rules"]]


def queries(board: Path) -> list[str]:
    return [
        target["expr"]
        for panel in json.loads(board.read_text())["panels"]
        for target in panel["targets"]
    ]


@pytest.mark.parametrize("name", NAMED)
def test_every_promised_figure_is_exposed(name: str) -> None:
    assert name in exposed()


@pytest.mark.parametrize("board", DASHBOARDS, ids=lambda path: path.stem)
def test_a_dashboard_asks_for_what_is_exposed_or_recorded(board: Path) -> None:
    recorded = {rule["record"] for rule in rules() if "record" in rule}
    known = exposed()
    for query in queries(board):
        assert 'space="$space"' in query
        assert set(named_in(query)) <= known
        assert set(re.findall(r"\bspace:[a-z0-9_:]+", query)) <= recorded


def test_the_rules_ask_for_what_is_exposed() -> None:
    known = exposed()
    for rule in rules():
        assert set(named_in(rule["expr"])) <= known, rule


def test_every_alert_has_a_line_that_says_what_to_do_and_a_place_in_the_runbook() -> None:
    runbook = (ROOT / "docs" / "how-to" / "runbook.md").read_text()
    alerts = [rule for rule in rules() if "alert" in rule]
    for alert in alerts:
        anchor = f"docs/how-to/runbook.md#{alert['alert'].lower()}"
        assert alert["annotations"]["runbook"].endswith(anchor)
        assert f"## {alert['alert']}\n" in runbook
    assert runbook.count("\n## ") == len(alerts)


def test_the_dashboards_are_what_the_script_writes(tmp_path: Path) -> None:
    script = (ROOT / "scripts" / "dashboards.py").read_text()
    copy = tmp_path / "scripts" / "dashboards.py"
    copy.parent.mkdir()
    copy.write_text(script)
    made = tmp_path / "deploy" / "grafana" / "dashboards"
    made.mkdir(parents=True)
    subprocess.run([sys.executable, str(copy)], check=True)
    assert {path.name: path.read_text() for path in made.iterdir()} == {
        path.name: path.read_text() for path in DASHBOARDS
    }


@needs_promtool
def test_promtool_finds_the_rules_sound_and_their_tests_pass() -> None:
    assert PROMTOOL is not None
    subprocess.run([PROMTOOL, "check", "rules", *map(str, RULES)], check=True)
    tests = DEPLOY / "prometheus" / "tests" / "alerts_test.yml"
    subprocess.run([PROMTOOL, "test", "rules", str(tests)], check=True)


@needs_promtool
def test_promtool_finds_the_configuration_sound(tmp_path: Path) -> None:
    assert PROMTOOL is not None
    token = tmp_path / "metrics-token"
    token.write_text("secret")
    for path in RULES:
        shutil.copy(path, tmp_path)
    text = (DEPLOY / "prometheus" / "prometheus.yml").read_text()
    text = text.replace("/etc/prometheus/secrets/metrics-token", str(token))
    config = tmp_path / "prometheus.yml"
    config.write_text(text)
    subprocess.run([PROMTOOL, "check", "config", str(config)], check=True)
