"""A process that was started with a bare environment finds the session it belongs to."""

import os
import subprocess
import sys
from pathlib import Path

from agentbox_desktop.cli.session_environment import complete

PROGRAM = ("import json, os, sys; from agentbox_desktop.cli.session_environment import complete; "
           "complete(os.environ); print(json.dumps(dict(os.environ)))")
STRIP = ("import os, subprocess, sys; "
         "sys.exit(subprocess.call([sys.executable, '-c', sys.argv[1]], env={'PATH': os.environ['PATH']}))")


def test_the_nearest_ancestor_in_a_session_lends_its_variables(tmp_path: Path) -> None:
    session = {"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": ":77", "SECRET": "canary"}
    ran = subprocess.run([sys.executable, "-c", STRIP, PROGRAM], env=session, capture_output=True, text=True,
                         check=True)
    assert f'"XDG_RUNTIME_DIR": "{tmp_path}"' in ran.stdout
    assert '"DISPLAY": ":77"' in ran.stdout
    assert "canary" not in ran.stdout


def test_an_environment_of_a_session_is_left_alone() -> None:
    environment = {"XDG_RUNTIME_DIR": "/run/user/1000"}
    complete(environment)
    assert environment == {"XDG_RUNTIME_DIR": "/run/user/1000"}
