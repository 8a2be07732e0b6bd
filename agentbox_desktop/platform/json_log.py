"""The daemon's log: one JSON object a line, in a file that is rotated at 2 MiB."""

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

import structlog

from agentbox_desktop.core.events import Event
from agentbox_desktop.ports import Log

_BYTES = 2 * 1024 * 1024
_KEPT = 3


class _QuietFile(RotatingFileHandler):
    """A log that can't be written (a full disk) must not stop what it tells of."""

    def handleError(self, record: logging.LogRecord) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class _Libraries(logging.Handler):
    """Where a library warned; not its words, which may hold what an agent sent."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.warning(Event.LIBRARY_MESSAGE, logger=record.name, where=f"{record.module}:{record.lineno}")


def open_log(path: Path, level: str) -> Log:
    """A log that writes lines of `level` and above to `path`."""
    logger = logging.getLogger("agentbox")
    logger.propagate = False
    logger.setLevel(level.upper())
    handler = _QuietFile(path, maxBytes=_BYTES, backupCount=_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    log: Log = structlog.get_logger("agentbox")
    logging.getLogger().addHandler(_Libraries(log))
    return log


def set_level(level: str) -> None:
    logging.getLogger("agentbox").setLevel(level.upper())
