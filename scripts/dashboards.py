"""Write deploy/grafana/dashboards/*.json: Grafana's format says forty lines where these say one.

python scripts/dashboards.py
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parent.parent / "deploy" / "grafana" / "dashboards"
SOURCE = {"type": "prometheus", "uid": "troupe-prometheus"}
SPACE = 'space="$space"'
ROWS = 24
"""Columns of Grafana's grid."""


class Panel(NamedTuple):
    """One picture."""

    title: str
    says: str
    """What to look for."""
    queries: Sequence[tuple[str, str]]
    """PromQL, with ``S`` in the place of the choice of the space, and the legend of each series."""
    unit: str = "short"
    kind: str = "timeseries"
    width: int = 8


BOARDS: dict[str, tuple[str, Sequence[Panel]]] = {
    "troupe": (
        "Troupe",
        (
            Panel(
                "Episodes under way",
                "Now, by what they do.",
                [
                    (
                        "sum by (environment, state) (troupe_episodes_active{S})",
                        "{{environment}} {{state}}",
                    )
                ],
            ),
            Panel(
                "Episodes over, an hour",
                "By how they ended: `failed` were given up.",
                [
                    (
                        "sum by (environment, outcome) (space:troupe_episodes:rate5m{S}) * 3600",
                        "{{environment}} {{outcome}}",
                    )
                ],
            ),
            Panel(
                "Jobs",
                "`queued` above nothing while `in_hand` is low: workers are missing. `dead`: look.",
                [("space:troupe_jobs:max{S}", "{{kind}} {{state}}")],
            ),
            Panel(
                "A turn, 95th percentile",
                "From asking a seat to its stored action.",
                [("space:troupe_turn_duration_seconds:p95_5m{S}", "{{mind}}")],
                unit="s",
            ),
            Panel(
                "Scores, a minute",
                "`failed` are missing scores, never zeros.",
                [
                    (
                        "sum by (evaluator, status) (rate(troupe_scores_total{S}[5m])) * 60",
                        "{{evaluator}} {{status}}",
                    )
                ],
            ),
            Panel(
                "Held back",
                "1: a process takes no jobs because of what is named.",
                [("max by (instance, by) (troupe_jobs_held_back{S})", "{{instance}} {{by}}")],
            ),
            Panel(
                "Backlog, share of what is enough",
                "From 100 % on no more jobs are taken.",
                [("troupe_backlog{S} / troupe_backlog_enough{S}", "{{instance}} {{of}}")],
                unit="percentunit",
            ),
            Panel(
                "Memory",
                "Resident, by process.",
                [('process_resident_memory_bytes{S, job="troupe"}', "{{instance}}")],
                unit="bytes",
            ),
            Panel(
                "Processor",
                "Cores in use; a process has one for its loop.",
                [('rate(process_cpu_seconds_total{S, job="troupe"}[5m])', "{{instance}}")],
            ),
        ),
    ),
    "models": (
        "Troupe: models",
        (
            Panel(
                "US dollars an hour",
                "By model and what it was asked for.",
                [("space:troupe_llm_cost_usd:rate1h{S}", "{{model}} {{purpose}}")],
                unit="currencyUSD",
            ),
            Panel(
                "US dollars in this time",
                "All of it.",
                [("sum(increase(troupe_llm_cost_usd_total{S}[$__range]))", "")],
                unit="currencyUSD",
                kind="stat",
            ),
            Panel(
                "An answer, 95th percentile",
                "One attempt, failures among them.",
                [("space:gen_ai_client_operation_duration_seconds:p95_5m{S}", "{{request_model}}")],
                unit="s",
            ),
            Panel(
                "Attempts that fail",
                "Share of all, by model.",
                [("space:gen_ai_client_operation_errors:ratio5m{S}", "{{request_model}}")],
                unit="percentunit",
            ),
            Panel(
                "Why they fail, a minute",
                "`rate_limited`: lower requests_per_minute.",
                [
                    (
                        "sum by (request_model, error_type) (rate("
                        'gen_ai_client_operation_duration_seconds_count{S, error_type!=""}[5m])) * 60',
                        "{{request_model}} {{error_type}}",
                    )
                ],
            ),
            Panel(
                "Tokens a minute",
                "Of questions (input) and answers (output).",
                [
                    (
                        "sum by (request_model, token_type) (rate(gen_ai_client_token_usage_sum{S}[5m]))"
                        " * 60",
                        "{{request_model}} {{token_type}}",
                    )
                ],
            ),
            Panel(
                "Requests under way and waiting",
                "Waiting only grows: a limit is too low, or the model too slow.",
                [
                    ("sum by (model) (troupe_llm_inflight_requests{S})", "{{model}} under way"),
                    ("sum by (model) (troupe_llm_queued_requests{S})", "{{model}} waiting"),
                ],
            ),
            Panel(
                "Retries, a minute",
                "Attempts after the first.",
                [
                    (
                        "sum by (model, reason) (rate(troupe_llm_retries_total{S}[5m])) * 60",
                        "{{model}} {{reason}}",
                    )
                ],
            ),
            Panel(
                "Answers that could not be read, a minute",
                "As they came, after repair, after asking again.",
                [
                    (
                        "sum by (model, stage) (rate(troupe_llm_parse_failures_total{S}[5m])) * 60",
                        "{{model}} {{stage}}",
                    )
                ],
            ),
            Panel(
                "Models that are held",
                "1: its calls wait until it answers again.",
                [
                    ("max by (model) (troupe_llm_breaker_open{S})", "{{model}}"),
                    (
                        "sum by (model) (troupe_llm_breaker_waiting_requests{S})",
                        "{{model}} waiting",
                    ),
                    (
                        "sum by (model) (increase(troupe_llm_breaker_openings_total{S}[1h]))",
                        "{{model}} openings",
                    ),
                ],
            ),
        ),
    ),
    "store": (
        "Troupe: store and runtime",
        (
            Panel(
                "Events stored, a second",
                "The store's head moves by that.",
                [("max(rate(troupe_store_head_position{S}[5m]))", "events")],
            ),
            Panel(
                "An append, 95th percentile",
                "Until it is durable, or refused.",
                [("space:troupe_store_append_duration_seconds:p95_5m{S}", "{{backend}}")],
                unit="s",
            ),
            Panel(
                "Appends, a second",
                "By what became of them.",
                [
                    (
                        "sum by (outcome) (rate(troupe_store_append_duration_seconds_count{S}[5m]))",
                        "{{outcome}}",
                    )
                ],
            ),
            Panel(
                "Events waiting to be stored",
                "Near the limit appends are refused.",
                [
                    ("troupe_store_append_queue{S}", "{{instance}}"),
                    ("troupe_store_append_queue_limit{S}", "{{instance}} limit"),
                    ("increase(troupe_store_appends_refused_total{S}[5m])", "{{instance}} refused"),
                ],
            ),
            Panel(
                "Conflicts, a second",
                "More than a few: two processes work on the same.",
                [("sum(rate(troupe_store_conflicts_total{S}[5m]))", "conflicts")],
            ),
            Panel(
                "Lists behind the log",
                "Events; they catch up when somebody looks.",
                [("max by (projection) (troupe_projection_lag_events{S})", "{{projection}}")],
            ),
            Panel(
                "Messages waiting for actors",
                "All of a class; and the fullest inbox.",
                [
                    ("sum by (class) (troupe_actor_mailbox_depth{S})", "{{class}}"),
                    ("max by (class) (troupe_actor_mailbox_longest{S})", "{{class}} fullest"),
                ],
            ),
            Panel(
                "Actors that failed, a minute",
                "Restarted from their streams.",
                [
                    (
                        "sum by (class, error_type) (rate(troupe_actor_failures_total{S}[5m])) * 60",
                        "{{class}} {{error_type}}",
                    )
                ],
            ),
            Panel(
                "Messages not taken, a minute",
                "By rules, by full inboxes, by NATS, and those that could not be read.",
                [
                    (
                        "sum by (class) (rate(troupe_actor_refusals_total{S}[5m])) * 60",
                        "{{class}} refused by rules",
                    ),
                    (
                        "sum by (class) (rate(troupe_actor_messages_refused_total{S}[5m])) * 60",
                        "{{class}} inbox full",
                    ),
                    ("sum(rate(troupe_nats_messages_refused_total{S}[5m])) * 60", "NATS full"),
                    ("sum(rate(troupe_messages_refused_total{S}[5m])) * 60", "unreadable"),
                ],
            ),
            Panel(
                "Bytes waiting for NATS",
                "Near the limit messages are refused.",
                [
                    ("troupe_nats_pending_bytes{S}", "{{instance}}"),
                    ("troupe_nats_pending_limit_bytes{S}", "{{instance}} limit"),
                ],
                unit="bytes",
            ),
        ),
    ),
    "people": (
        "Troupe: people",
        (
            Panel(
                "Connections",
                "Open websockets, by role.",
                [("sum by (role) (troupe_ws_connections{S})", "{{role}}")],
            ),
            Panel(
                "Connections that ended, a minute",
                "`slow`: the client did not keep up, and resumes.",
                [("sum by (reason) (rate(troupe_ws_disconnects_total{S}[5m])) * 60", "{{reason}}")],
            ),
            Panel(
                "A person's turn",
                "Half of them, and 19 in 20, take no longer.",
                [
                    (
                        "histogram_quantile(0.5, sum by (le) ("
                        'rate(troupe_turn_duration_seconds_bucket{S, mind="person"}[15m])))',
                        "median",
                    ),
                    (
                        "histogram_quantile(0.95, sum by (le) ("
                        'rate(troupe_turn_duration_seconds_bucket{S, mind="person"}[15m])))',
                        "95th percentile",
                    ),
                ],
                unit="s",
            ),
        ),
    ),
}


def main() -> None:
    """Write them all."""
    for name, text in dashboards():
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")


def dashboards() -> Iterator[tuple[str, str]]:
    """File names without their ending, and what is in them."""
    for name, (title, panels) in BOARDS.items():
        board = {
            "uid": f"troupe-{name}",
            "title": title,
            "tags": ["troupe"],
            "schemaVersion": 41,
            "version": 1,
            "editable": True,
            "refresh": "30s",
            "time": {"from": "now-6h", "to": "now"},
            "links": [
                {
                    "type": "dashboards",
                    "tags": ["troupe"],
                    "title": "Troupe",
                    "asDropdown": False,
                    "includeVars": True,
                    "keepTime": True,
                }
            ],
            "templating": {"list": [_space()]},
            "panels": list(_laid_out(panels)),
        }
        yield name, json.dumps(board, indent=1, ensure_ascii=False) + "\n"


def _space() -> dict[str, Any]:
    query = "label_values(up, space)"
    return {
        "name": "space",
        "label": "Space",
        "type": "query",
        "datasource": SOURCE,
        "definition": query,
        "query": {"query": query, "refId": "space"},
        "refresh": 2,
        "sort": 1,
    }


def _laid_out(panels: Sequence[Panel]) -> Iterator[dict[str, Any]]:
    x = y = 0
    for number, panel in enumerate(panels, 1):
        if x + panel.width > ROWS:
            x, y = 0, y + 8
        yield _drawn(number, panel, {"x": x, "y": y, "w": panel.width, "h": 8})
        x += panel.width


def _drawn(number: int, panel: Panel, place: dict[str, int]) -> dict[str, Any]:
    targets = [
        {
            "refId": chr(ord("A") + index),
            "datasource": SOURCE,
            "expr": expression.replace("{S", "{" + SPACE),
            "legendFormat": legend or "__auto",
        }
        for index, (expression, legend) in enumerate(panel.queries)
    ]
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.says,
        "datasource": SOURCE,
        "gridPos": place,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        }
        if panel.kind == "timeseries"
        else {},
        "targets": targets,
    }


if __name__ == "__main__":
    main()
