"""What the services need from the outside. Adapters are in `platform/`, `store/` and `ui/`; tests bring fakes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from agentbox_desktop.core.callers import Process
from agentbox_desktop.core.items import Decision, Item, Move
from agentbox_desktop.core.screen import Draft, Screen


class StoreFailed(Exception):
    """The disk took no write; nothing changed. `message` is a sentence for the person."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Clock(Protocol):
    def now(self) -> float:
        """Unix seconds."""

    def monotonic(self) -> float:
        """Seconds that never step."""


class Alarm(Protocol):
    """One timer for the whole process, set anew each time."""

    def set(self, delay_s: float | None, ring: Callable[[], None]) -> None:
        """Call `ring` once in `delay_s` seconds instead of whatever was set before; None: not at all."""


class Log(Protocol):
    """Structured log lines: `event` is a word of `core.events`; fields hold no text of an agent or a person."""

    def info(self, event: str, **fields: object) -> None: ...
    def warning(self, event: str, **fields: object) -> None: ...
    def error(self, event: str, **fields: object) -> None: ...


class ItemRepository(Protocol):
    """Items and their transitions. A call returns when it is on disk, and raises `StoreFailed` when it can't be."""

    async def unfinished(self) -> list[Item]:
        """Everything open, in grace, or owed to its caller."""

    async def get(self, item_id: str) -> Item | None: ...

    async def find(self, prefix: str) -> list[Item]:
        """Up to two items whose id starts with `prefix`, to tell a unique one."""

    async def save(self, item: Item, move: Move, at: float, calls: Sequence[tuple[str, str]] = ()) -> None:
        """Store `item` as it is after `move`; `calls` (session, key) are bound to it in the same commit."""

    async def bind(self, calls: Sequence[tuple[str, str]], item_id: str, at: float) -> None:
        """Bind further calls (session, key) to an item; a call that was bound to another one moves."""

    async def bound(self, session: str, key: str) -> str | None:
        """The item that this session's call made."""

    async def called_at(self, session: str, key: str) -> float | None:
        """When this session's call was first made, in Unix seconds."""

    async def unbind(self, session: str, key: str) -> None: ...

    async def save_draft(self, item_id: str, draft: Draft) -> None: ...

    async def drafts(self) -> dict[str, Draft]: ...

    async def forget_before(self, at: float) -> int:
        """Delete closed items that ended before `at`; how many."""


class SessionRepository(Protocol):
    """The sessions agents have had: the key stays with its bridge over a restart."""

    async def remember(self, session: str, client: str, agent: Process, at: float) -> None: ...

    async def held(self) -> dict[str, str]:
        """The session key of each bridge that has not hung up, by its client name."""

    async def release(self, client: str) -> None:
        """This bridge has hung up: its key is free."""

    async def agents(self) -> list[Process]:
        """Every agent process known, for telling its descendants from the person."""


class Person(Protocol):
    """What the windows call when the person does something. Refusals are raised as `Refused`."""

    async def decide(self, item_id: str, digest: str, decision: Decision) -> None: ...
    async def later(self, item_id: str) -> None: ...
    async def undo(self, item_id: str) -> None: ...
    async def seen(self, item_id: str) -> None: ...
    async def draft(self, item_id: str, draft: Draft) -> None: ...
    def hover(self, item_id: str, inside: bool) -> None:
        """The pointer is over a toast, or has left it: its clock stops, or starts anew."""


class Presenter(Protocol):
    """The windows. They hold no state that matters: `show` is told all that should be on screen."""

    def show(self, screen: Screen) -> None: ...

    def summon(self) -> bool:
        """Give the card on screen the keyboard; False where there is none."""

    @property
    def display(self) -> str:
        """`x11`, `wayland`, `windows`, `macos`, or `offscreen` where nobody can see a thing."""


class Processes(Protocol):
    """The operating system's process table."""

    def ancestors(self, pid: int) -> list[Process]:
        """The parent of `pid` first, then its parent, to the root; empty where it is gone."""

    def get(self, pid: int) -> Process | None: ...


class Peers(Protocol):
    """Who is at the other end of a local connection."""

    def admit(self, socket: Any) -> int:
        """The peer's pid (0 where it can't be known). Raises `Refused` for another user's process."""


class Workspace(Protocol):
    def describe(self, folder: str) -> tuple[str, str]:
        """(project, branch) of the repository that holds `folder`; empty words where there is none."""


class Hotkeys(Protocol):
    def grab(self, combination: str, pressed: Callable[[], object]) -> str | None:
        """Grab `combination` (such as `ctrl+alt+space`) for the whole desktop; why not, or None."""

    def release(self) -> None: ...


class Sound(Protocol):
    def play(self, earcon: str) -> None:
        """Begin a short sound: `question`, or the name of a notice's level."""


class Speech(Protocol):
    def say(self, text: str) -> None:
        """Begin to say one line aloud, after what is being said."""


class Presence(Protocol):
    def idle_s(self) -> float | None:
        """Seconds since the person's last input; None where it can't be known."""


class Input(Protocol):
    def is_driving(self) -> bool:
        """Whether an agent drives the pointer and the keyboard now."""


class SettingsFile(Protocol):
    """The person's TOML file: read whole, changed in place so that comments stay."""

    def read(self) -> Mapping[str, Any]: ...
    def set(self, path: Sequence[str], value: object) -> None: ...
