"""What is generated from the code is what the code says now."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_generated_files_are_current() -> None:
    program = [sys.executable, str(ROOT / "packaging" / "reference.py"), "--check"]
    checked = subprocess.run(program, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
