"""Time, processor and memory, read the same way for us and for our peers."""

import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def launch(command: Sequence[str], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """Start `command`; what it prints is not looked at."""
    return subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run_s(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Seconds from the start of `command` to its end; AssertionError where it fails."""
    begun = time.perf_counter()
    status = launch(command, environment).wait()
    taken = time.perf_counter() - begun
    assert status == 0, f"{' '.join(command)} ended with {status}"
    return taken


def cpu_share(pid: int, for_s: float) -> float:
    """The share of one core that process `pid` uses over the next `for_s` seconds, system time included."""
    before, begun = _cpu_s(pid), time.perf_counter()
    time.sleep(for_s)
    return (_cpu_s(pid) - before) / (time.perf_counter() - begun)


def pss_kib(pid: int) -> int:
    """Memory of process `pid`: what it shares with others counts by its share."""
    found = re.search(r"^Pss:\s+(\d+) kB$", Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"), re.MULTILINE)
    assert found is not None
    return int(found[1])


def ms(seconds: float) -> str:
    """`12.3 ms`, whole milliseconds from 100 on."""
    value = seconds * 1000
    return f"{value:.0f} ms" if value >= 100 else f"{value:.1f} ms"


def mib(kib: float) -> str:
    return f"{kib / 1024:.1f} MiB"


def _cpu_s(pid: int) -> float:
    # The second field is the program's name in brackets, which may hold spaces; user and system time are 14 and 15.
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S
