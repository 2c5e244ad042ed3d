"""docs/monitoring/: promtool finds nothing, and each alert fires for its failure, and for nothing else.

That all metrics it names are exported by a running server is shown in tests/service/core/counts/test_metrics.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.changed import UNCHANGED, changed
from tests.support.monitoring import (
    BOARD,
    FOLDER,
    METRIC,
    alerts,
    asked_by_dashboard,
    needs_promtool,
    promtool,
)

LAST = 90
"""The minute at which everything is looked at."""
OF = 'job="tegami",instance="one:9100"'
MAILS, REQUESTS = f'tegami_mails_total{{{OF},kind="turn"', f"tegami_requests_total{{{OF}"
READS = f"tegami_replica_reads_total{{{OF}"
GIB = 1024**3
HEALTHY = {
    f"up{{{OF}}}": "1",
    f'{REQUESTS},route="/",method="GET",status="200"}}': "0+6000",
    f'{REQUESTS},route="/",method="GET",status="503"}}': "0+60",
    f"tegami_database_up{{{OF}}}": "1",
    f"tegami_database_answer_seconds{{{OF}}}": "0.2",
    f"tegami_database_replicas{{{OF}}}": "2",
    f"tegami_database_replica_lag_seconds{{{OF}}}": "25",
    f"tegami_database_replica_lag_bytes{{{OF}}}": "100000",
    f'{READS},result="answered"}}': "0+60",
    f'{READS},result="behind"}}': "0+20",
    f'{READS},result="failed"}}': "0+20",
    f"tegami_worker_silent_seconds{{{OF}}}": "100",
    f'tegami_process_silent_seconds{{{OF},machine="one",process="worker 7"}}': "100",
    f"tegami_deadline_lag_seconds{{{OF}}}": "100",
    f"tegami_oldest_wait_seconds{{{OF}}}": "50",
    f"tegami_outbox_lag_seconds{{{OF}}}": "250",
    f'{MAILS},result="sent"}}': "0+1",
    f'{MAILS},result="postponed"}}': "0+1",
    f"tegami_disk_free_bytes{{{OF}}}": str(GIB),
    f"tegami_cold_storage_failures_total{{{OF}}}": "0+0.1",
    f"tegami_damaged_games{{{OF}}}": "0",
}
"""By series, its value while nothing is wrong, though not far from it; after a plus, its growth per minute."""

NEVER, SINCE = "", LAST - 10
FAILURES: dict[str, tuple[str, str, int]] = {
    "TegamiDown": (f"up{{{OF}}}", "0", SINCE),
    "TegamiErrors": (f'{REQUESTS},route="/",method="GET",status="503"}}', "0+300", SINCE),
    "TegamiDatabaseDown": (f"tegami_database_up{{{OF}}}", "0", SINCE),
    "TegamiDatabaseSlow": (f"tegami_database_answer_seconds{{{OF}}}", "0.3", SINCE),
    "TegamiReplicaBehind": (f"tegami_database_replica_lag_seconds{{{OF}}}", "31+60", SINCE),
    "TegamiReplicaLost": (f"tegami_database_replicas{{{OF}}}", "1", SINCE),
    "TegamiReplicaUnread": (f'{READS},result="failed"}}', "0+400", SINCE),
    "TegamiNoWorker": (f"tegami_worker_silent_seconds{{{OF}}}", NEVER, SINCE),
    "TegamiWorkerSilent": (f"tegami_worker_silent_seconds{{{OF}}}", "121+60", SINCE),
    "TegamiProcessSilent": (
        f'tegami_process_silent_seconds{{{OF},machine="one",process="worker 7"}}',
        "121+60",
        SINCE,
    ),
    "TegamiDeadlinesLate": (f"tegami_deadline_lag_seconds{{{OF}}}", "121+60", SINCE),
    "TegamiThinkersBehind": (f"tegami_oldest_wait_seconds{{{OF}}}", "61+60", SINCE),
    "TegamiMailStuck": (f"tegami_outbox_lag_seconds{{{OF}}}", "301+60", SINCE),
    "TegamiMailRefused": (f'{MAILS},result="sent"}}', "400+0", LAST - 80),
    "TegamiDiskFull": (f"tegami_disk_free_bytes{{{OF}}}", str(GIB // 5), SINCE),
    "TegamiDiskFilling": (f"tegami_disk_free_bytes{{{OF}}}", f"{GIB}-5000000", LAST - 80),
    "TegamiColdStorageDown": (f"tegami_cold_storage_failures_total{{{OF}}}", "0+1", SINCE),
    "TegamiGameDamaged": (f"tegami_damaged_games{{{OF}}}", "1", SINCE),
}
"""By alert, the series with an unusual value, that value, and the minute from which it has it."""
WHICH = {"TegamiProcessSilent": {"machine": "one", "process": "worker 7"}}
OF_MACHINE = {
    *("TegamiDown", "TegamiDatabaseDown", "TegamiDatabaseSlow", "TegamiDiskFull"),
    "TegamiDiskFilling",
}
"""Alerts that name a machine."""


def test_every_alert_has_its_failure() -> None:
    assert alerts().keys() == FAILURES.keys()
    for rule in alerts().values():
        assert rule["labels"]["severity"] in {"critical", "warning"}
        assert rule["annotations"].keys() == {"summary", "description"}


@needs_promtool
def test_promtool_finds_nothing_wrong(tmp_path: Path) -> None:
    """This covers the rules, the settings that name them, and the queries of the dashboard."""
    assert f"{len(FAILURES)} rules found" in promtool("check", "config", FOLDER / "prometheus.yml")
    rules = [
        {"record": f"panel:{number}", "expr": expression}
        for number, (_, expression) in enumerate(asked_by_dashboard())
    ]
    file = tmp_path / "dashboard.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert f"{len(rules)} rules found" in promtool("check", "rules", file)


@pytest.mark.skipif(not changed("docs/monitoring", "tests/test_monitoring.py"), reason=UNCHANGED)
@needs_promtool
def test_each_alert_fires_for_its_failure_alone(tmp_path: Path) -> None:
    briefly = dict(HEALTHY)
    for alert, (series, value, _) in FAILURES.items():
        if "for" in alerts()[alert]:
            briefly[series] = failing(series, value, LAST)[series]
    tests = [case("nothing", HEALTHY, []), case("all, but only just now", briefly, [])]
    tests += [case(alert, failing(*failure), [alert]) for alert, failure in FAILURES.items()]
    file = tmp_path / "alerts.test.yml"
    file.write_text(
        json.dumps(
            {
                "rule_files": [str(FOLDER / "alerts.yml")],
                "evaluation_interval": "1m",
                "tests": tests,
            }
        )
    )
    assert "SUCCESS" in promtool("test", "rules", file)


def failing(series: str, value: str, since: int) -> dict[str, str]:
    """All series, one of which is unusual from that minute on."""
    return {
        **HEALTHY,
        series: f"{during(HEALTHY[series], since)} {during(value, LAST - since + 1)}",
    }


def during(value: str, minutes: int) -> str:
    """This number of minutes of a value, in promtool's form."""
    if value == NEVER:
        return f"stale _x{minutes}"
    steps = "" if "+" in value or "-" in value else "+0"
    return f"{value}{steps}x{minutes - 1}"


def case(name: str, series: dict[str, str], expected: list[str]) -> dict[str, Any]:
    """A test of promtool: which alerts fire in the last minute."""
    whole = {each: text if "x" in text else during(text, LAST + 1) for each, text in series.items()}
    return {
        "name": name,
        "interval": "1m",
        "input_series": [{"series": each, "values": text} for each, text in whole.items()],
        "promql_expr_test": [
            {
                "expr": 'ALERTS{alertstate="firing"}',
                "eval_time": f"{LAST}m",
                "exp_samples": [{"labels": fired(alert), "value": 1} for alert in expected],
            }
        ],
    }


def fired(alert: str) -> str:
    """The series by which Prometheus says that an alert fires."""
    labels = {"alertname": alert, "alertstate": "firing", "job": "tegami"}
    labels |= {"severity": alerts()[alert]["labels"]["severity"], **WHICH.get(alert, {})}
    labels |= {"instance": "one:9100"} if alert in OF_MACHINE else {}
    told = ",".join(f'{name}="{value}"' for name, value in labels.items())
    return f"ALERTS{{{told}}}"


def test_whatever_wakes_somebody_is_drawn() -> None:
    """Somebody whom an alert wakes sees on the dashboard since when it lasts, and how bad it is."""
    drawn = {name for _, each in asked_by_dashboard() for name in METRIC.findall(each)}
    for alert, rule in alerts().items():
        assert drawn >= {*METRIC.findall(rule["expr"])}, alert


def test_the_panels_of_the_dashboard_lie_beside_each_other() -> None:
    """No two share an id or a place, and each says where its numbers come from and what they mean."""
    taken = set[tuple[int, int]]()
    for panel in BOARD["panels"]:
        at = panel["gridPos"]
        places = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not places & taken and max(x for x, _ in places) < 24, panel["title"]
        taken |= places
        if panel["type"] != "row":
            assert panel["description"] and panel["targets"], panel["title"]
            assert panel["datasource"] == {"type": "prometheus", "uid": "${source}"}
    ids = [panel["id"] for panel in BOARD["panels"]]
    assert len(ids) == len({*ids})
    assert {each["name"] for each in BOARD["templating"]["list"]} == {"source", "job"}
