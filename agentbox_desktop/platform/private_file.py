"""A file that only this user can read."""

import os
import subprocess
import sys
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write `text` to a new file at `path`: mode 0600, on Windows an access list with this user alone."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    if sys.platform == "win32":
        subprocess.run(
            ["icacls", str(path), "/inheritance:r", "/grant:r", f"{os.environ['USERNAME']}:F"],
            check=True, capture_output=True, creationflags=subprocess.CREATE_NO_WINDOW)
    path.write_text(text, encoding="utf-8")
