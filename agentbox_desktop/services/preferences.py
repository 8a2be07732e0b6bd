"""The person's settings as they are now: read from their file, read again when it changes."""

from collections.abc import Callable

from agentbox_desktop.core.events import Event
from agentbox_desktop.core.settings import Settings, parse
from agentbox_desktop.ports import Log, SettingsFile


class Preferences:
    """`current` is always usable: a value that can't be used leaves its default, and is named in the log."""

    def __init__(self, file: SettingsFile, log: Log) -> None:
        self._file = file
        self._log = log
        self._listeners: list[Callable[[Settings], None]] = []
        self.current = Settings()
        self.problems: list[str] = []

    def listen(self, changed: Callable[[Settings], None]) -> None:
        """Call `changed` with the new settings whenever they differ."""
        self._listeners.append(changed)

    def reload(self) -> None:
        """Read the file; where it is no TOML at all, what was in force stays."""
        try:
            raw = self._file.read()
        except ValueError as error:
            self.problems = [f"config.toml can't be read ({error}); the settings stay as they were."]
            self._log.warning(Event.SETTINGS_PROBLEM, problem=self.problems[0])
            return
        settings, self.problems = parse(raw)
        for problem in self.problems:
            self._log.warning(Event.SETTINGS_PROBLEM, problem=problem)
        if settings == self.current:
            return
        self.current = settings
        self._log.info(Event.SETTINGS_LOADED)
        for listener in self._listeners:
            listener(settings)

    def set(self, section: str, key: str, value: object) -> None:
        """Change one setting in the file, leaving the rest of it as the person wrote it. ValueError if unusable."""
        _, problems = parse({section: {key: value}})
        if problems:
            raise ValueError(problems[0])
        self._file.set((section, key), value)
        self.reload()
