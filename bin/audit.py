"""The audit of dependencies: runs pip-audit on the locked packages, and prints the findings in a few lines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCKED = Path(__file__).resolve().parents[1] / "requirements.txt"
SECONDS = 9
"""The seconds that everything may take: the person who runs the tests waits for it."""
COMMAND = (
    *(sys.executable, "-m", "pip_audit", "--requirement", str(LOCKED), "--disable-pip"),
    *("--require-hashes", "--format", "json", "--progress-spinner", "off", "--timeout", "4"),
)
NOT_RUN = "not run: no advisories could be reached"


def main() -> int:
    """Print what is known about the packages; returns 1 if there is a vulnerability, otherwise 0."""
    try:
        done = subprocess.run(COMMAND, capture_output=True, check=False, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        told, code = f"{NOT_RUN} within {SECONDS} s", 0
    else:
        told, code = verdict(done.stdout)
    print(told)
    return code


def verdict(output: str) -> tuple[str, int]:
    """The text that says what pip-audit's output means, and the exit code; the output is not JSON if pip-audit
    gave up.
    """
    try:
        packages = json.loads(output)["dependencies"]
    except ValueError:
        return NOT_RUN, 0
    bad = [finding(each) for each in packages if each.get("vulns")]
    known = [each for each in packages if "vulns" in each]
    if not known:
        return NOT_RUN, 0
    unknown = len(packages) - len(known)
    about = f"{len(known)} packages" + (
        f", nothing could be asked about {unknown}" if unknown else ""
    )
    return "\n".join([*bad, f"{len(bad)} of {about} have known vulnerabilities"]), int(bool(bad))


def finding(package: dict[str, Any]) -> str:
    """The text about a package: its advisories, and the versions in which they are fixed."""
    told = []
    for each in package["vulns"]:
        fixed = ", ".join(each["fix_versions"])
        told.append(f"{each['id']} ({f'fixed in {fixed}' if fixed else 'not fixed yet'})")
    return f"{package['name']} {package['version']}: {'; '.join(told)}"


if __name__ == "__main__":
    sys.exit(main())
