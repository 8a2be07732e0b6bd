"""The log's vocabulary: stable words that a program may search for. No line holds a body or an answer."""

from enum import StrEnum


class Event(StrEnum):
    DAEMON_STARTED = "daemon_started"
    DAEMON_STOPPED = "daemon_stopped"
    SHUTDOWN_SLOW = "shutdown_slow"
    STORE_MIGRATED = "store_migrated"
    STORE_SET_ASIDE = "store_set_aside"
    STORE_WRITE_FAILED = "store_write_failed"
    SETTINGS_LOADED = "settings_loaded"
    SETTINGS_PROBLEM = "settings_problem"
    CLIENT_CONNECTED = "client_connected"
    CLIENT_GONE = "client_gone"
    CLIENT_REFUSED = "client_refused"
    CALL_REFUSED = "call_refused"
    CALL_FAILED = "call_failed"
    ITEM_MOVED = "item_moved"
    HOTKEY_GRABBED = "hotkey_grabbed"
    HOTKEY_REFUSED = "hotkey_refused"
    TRAY_SHOWN = "tray_shown"
    TRAY_MISSING = "tray_missing"
    DISPLAY_MISSING = "display_missing"
    HTTP_STARTED = "http_started"
    HTTP_FAILED = "http_failed"
    TASK_FAILED = "task_failed"
    QT_MESSAGE = "qt_message"
