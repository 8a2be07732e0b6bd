"""The daemon's log: one JSON object a line, in a file that is rotated at 2 MiB.

The standard library's logging does the writing. A library for structured logs would take a tenth of the time
that the daemon has to come up in, for the twenty lines below.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from agentbox_desktop.core.events import Event

_BYTES = 2 * 1024 * 1024
_KEPT = 3
_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class JsonLog:
    """Implements the `Log` port. Values that JSON does not know are written as text."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger

    def info(self, event: str, **fields: object) -> None:
        self._write("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        self._write("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        self._write("error", event, fields)

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        if self._logger.isEnabledFor(_LEVELS[level]):
            at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            line = {"at": at, "level": level, "event": event, **fields}
            self._logger.log(_LEVELS[level], "%s", json.dumps(line, default=str))


class _QuietFile(RotatingFileHandler):
    """A log that can't be written (a full disk) must not stop what it tells of."""

    def handleError(self, record: logging.LogRecord) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class _Libraries(logging.Handler):
    """Where a library warned; not its words, which may hold what an agent sent."""

    def __init__(self, log: JsonLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.warning(Event.LIBRARY_MESSAGE, logger=record.name, where=f"{record.module}:{record.lineno}")


def open_log(path: Path, level: str) -> JsonLog:
    """A log that writes lines of `level` (info, warning, error) and above to `path`."""
    logger = logging.getLogger("agentbox")
    logger.propagate = False
    logger.addHandler(_QuietFile(path, maxBytes=_BYTES, backupCount=_KEPT, encoding="utf-8", delay=True))
    set_level(level)
    log = JsonLog(logger)
    logging.getLogger().addHandler(_Libraries(log))
    return log


def set_level(level: str) -> None:
    logging.getLogger("agentbox").setLevel(_LEVELS[level])
