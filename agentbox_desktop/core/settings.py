"""Every setting with its default, its bounds and the reason for it: the config file's whole vocabulary."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any

from agentbox_desktop.core.limits import HISTORY_DAYS, TOAST_S, UNDO_MAX_S


def _knob(default: Any, why: str, **bounds: Any) -> Any:
    """A setting. `bounds`: `minimum`, `maximum` (inclusive) or `choices`."""
    return field(default=default, metadata={"why": why, **bounds})


@dataclass(frozen=True, slots=True)
class UndoSettings:
    grace_s: float = _knob(3.0, "Seconds an answer waits before it leaves, so that a slip can be taken back.",
                           minimum=0, maximum=UNDO_MAX_S)


@dataclass(frozen=True, slots=True)
class ToastSettings:
    seconds: float = _knob(float(TOAST_S), "Seconds a notice that needs nothing stays on screen.",
                           minimum=2, maximum=60)


@dataclass(frozen=True, slots=True)
class CardSettings:
    later_minutes: float = _knob(5.0, "Minutes until a question put off with Esc comes back.",
                                 minimum=0.1, maximum=60)


@dataclass(frozen=True, slots=True)
class HotkeySettings:
    summon: str = _knob("", "The key that gives the card the keyboard; empty takes the system's default, "
                            "'none' takes no key.")


@dataclass(frozen=True, slots=True)
class ThemeSettings:
    mode: str = _knob("auto", "Dark or light; auto follows the system.", choices=("auto", "dark", "light"))
    reduced_motion: bool = _knob(False, "Windows appear at once instead of rising and fading.")


@dataclass(frozen=True, slots=True)
class FontSettings:
    scale: float = _knob(1.0, "Size of all text, times the designed size.", minimum=0.8, maximum=2.0)


@dataclass(frozen=True, slots=True)
class SafetySettings:
    person_verbs: bool = _knob(True, "Whether the person may decide from a terminal, with answer and dismiss. "
                                     "Off, and with no display, a question ends at once with no_ui.")


@dataclass(frozen=True, slots=True)
class McpSettings:
    http: bool = _knob(False, "Serve MCP over HTTP on the loopback address too.")
    port: int = _knob(0, "The loopback port for HTTP; 0 takes a free one.", minimum=0, maximum=65535)


@dataclass(frozen=True, slots=True)
class HistorySettings:
    days: int = _knob(HISTORY_DAYS, "Days that an ended notice, question or answer is kept.", minimum=1, maximum=3650)


@dataclass(frozen=True, slots=True)
class LogSettings:
    level: str = _knob("info", "How much the log says; it never holds what an agent or a person wrote.",
                       choices=("info", "warning", "error"))


@dataclass(frozen=True, slots=True)
class Settings:
    undo: UndoSettings = UndoSettings()
    toasts: ToastSettings = ToastSettings()
    cards: CardSettings = CardSettings()
    hotkeys: HotkeySettings = HotkeySettings()
    theme: ThemeSettings = ThemeSettings()
    font: FontSettings = FontSettings()
    safety: SafetySettings = SafetySettings()
    mcp: McpSettings = McpSettings()
    history: HistorySettings = HistorySettings()
    log: LogSettings = LogSettings()


def parse(raw: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Settings from a TOML document, and one sentence for each value that can't be used (its default is)."""
    problems: list[str] = []
    sections: dict[str, Any] = {}
    known = {section.name: section for section in fields(Settings)}
    for name, value in raw.items():
        if name not in known:
            problems.append(f"[{name}] is not a section; the sections are {', '.join(known)}.")
        elif not isinstance(value, Mapping):
            problems.append(f"{name} must be a section such as [{name}], not {value!r}.")
        else:
            sections[name] = _section(known[name], value, problems)
    return Settings(**sections), problems


def _section(section: "Field[Any]", raw: Mapping[str, Any], problems: list[str]) -> Any:
    kind: Any = type(section.default)
    knobs = {knob.name: knob for knob in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in raw.items():
        if key not in knobs:
            problems.append(f"[{section.name}] {key} is not a setting; the settings are {', '.join(knobs)}.")
            continue
        wrong = _wrong(knobs[key], value)
        if wrong:
            problems.append(f"[{section.name}] {key} {wrong}, not {value!r}.")
        else:
            values[key] = float(value) if isinstance(knobs[key].default, float) else value
    return kind(**values)


def _wrong(knob: "Field[Any]", value: Any) -> str:
    default, bounds = knob.default, knob.metadata
    if isinstance(default, bool) or isinstance(value, bool):
        return "" if isinstance(default, bool) and isinstance(value, bool) else _form(default)
    if isinstance(default, float):
        if not isinstance(value, int | float):
            return _form(default)
    elif not isinstance(value, type(default)):
        return _form(default)
    if "choices" in bounds and value not in bounds["choices"]:
        return f"must be one of {', '.join(bounds['choices'])}"
    if "minimum" in bounds and not bounds["minimum"] <= value <= bounds["maximum"]:
        return f"must be from {bounds['minimum']} to {bounds['maximum']}"
    return ""


def _form(default: Any) -> str:
    if isinstance(default, bool):
        return "must be true or false"
    return {int: "must be a whole number", float: "must be a number", str: "must be text"}[type(default)]
