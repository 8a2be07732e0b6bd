"""Everything put together: the one module that knows all the others."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from sqlalchemy import Engine

from agentbox_desktop import __version__
from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.events import Event
from agentbox_desktop.core.failures import where
from agentbox_desktop.core.items import Content, Kind, Level
from agentbox_desktop.core.places import Places
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.settings import Settings
from agentbox_desktop.doors.http import HttpDoor
from agentbox_desktop.doors.lines import Lines
from agentbox_desktop.doors.listener import Listener, Visitor
from agentbox_desktop.doors.mcp.door import McpDoor
from agentbox_desktop.doors.mcp.session import McpSession
from agentbox_desktop.doors.operation import Operation
from agentbox_desktop.doors.operations.asking import AskingOperations
from agentbox_desktop.doors.operations.person import PersonOperations, StatusOutput
from agentbox_desktop.doors.rpc import RpcDoor
from agentbox_desktop.platform.clock import SystemClock
from agentbox_desktop.platform.display import OFFSCREEN, Display
from agentbox_desktop.platform.hotkeys import default_combination, system_hotkeys
from agentbox_desktop.platform.json_log import open_log, set_level
from agentbox_desktop.platform.null_adapters import NullInput, NullPresence, NullSound, NullSpeech
from agentbox_desktop.platform.peers import SystemPeers
from agentbox_desktop.platform.private_file import write_private
from agentbox_desktop.platform.processes import process_table
from agentbox_desktop.platform.qt_alarm import QtAlarm
from agentbox_desktop.platform.qt_file_watch import FileWatch
from agentbox_desktop.platform.workspace import GitWorkspace
from agentbox_desktop.services.asking import Asking
from agentbox_desktop.services.attention import Attention
from agentbox_desktop.services.board import Board
from agentbox_desktop.services.calls import Call
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.identity import Identity
from agentbox_desktop.services.lifecycle import Lifecycle
from agentbox_desktop.services.on_screen import OnScreen
from agentbox_desktop.services.persons_side import PersonsSide
from agentbox_desktop.services.preferences import Preferences
from agentbox_desktop.services.tasks import Tasks
from agentbox_desktop.store.database import Database
from agentbox_desktop.store.items import SqlItems
from agentbox_desktop.store.sessions import SqlSessions
from agentbox_desktop.store.settings_file import TomlSettings
from agentbox_desktop.ui import resources
from agentbox_desktop.ui.presenter import Presenter

_DAY_S = 24 * 3600.0
_DECIDING_VERBS = frozenset({"answer", "dismiss"})
_OWN = Caller(session="agentbox", agent="AgentBox", door="own")


class Application:
    """The services, doors and windows of one running AgentBox."""

    def __init__(self, places: Places, instance: str, display: Display, engine: Engine) -> None:
        self._places = places
        self._instance = instance
        self._display = display
        self._started = time.monotonic()
        self._quit: Callable[[], None] = lambda: None
        self._log = open_log(places.log_file, "info")
        self._clock = SystemClock()
        self._tasks = Tasks(self._log)
        self._deadlines = DeadlineService(self._clock, QtAlarm(), self._log)
        self._database = Database(engine)
        self._items = SqlItems(self._database, self._log)
        self._sessions = SqlSessions(self._database)
        self._preferences = Preferences(TomlSettings(places.config_file), self._log)
        self._preferences.reload()  # before the windows are made: they look as it says
        set_level(self._preferences.current.log.level)
        self._summon_key = ""
        self._hotkeys = system_hotkeys(display.kind)
        self._compose()

    def _compose(self) -> None:
        def settings() -> Settings:
            return self._preferences.current

        self._board = Board(self._items, self._clock, self._tasks, self._log)
        self._lifecycle = Lifecycle(self._board, self._deadlines, self._clock, self._tasks, settings,
                                    self._display.kind != OFFSCREEN)
        self._asking = Asking(self._board, self._items, self._deadlines, self._clock, self._tasks,
                              self._somebody_can_answer)
        self._persons_side = PersonsSide(self._board, self._items, self._lifecycle, self._clock, settings)
        self._attention = Attention(self._board, NullSound(), NullSpeech())
        self._presence, self._input = NullPresence(), NullInput()
        self._presenter = Presenter(self._persons_side, self._display.kind, settings, self._clock,
                                    self._places.log, self._quit_now, summon=self._summon)
        self._on_screen = OnScreen(self._board, self._asking, self._persons_side, self._presenter, self._deadlines,
                                   self._clock, self._log)
        self._identity = Identity(process_table(), GitWorkspace(), self._sessions, self._clock)
        person = PersonOperations(self._board, self._persons_side, self._on_screen, self._clock,
                                  self.about, self._quit_now)
        self._operations: list[Operation] = [*AskingOperations(self._asking).operations(), *person.operations()]
        self._rpc = RpcDoor(self._operations, self._asking, self._log)
        self._mcp = McpDoor(
            self._operations, self._deadlines, __version__, manual=resources.text("manual/agent.md"),
            tasks=self._tasks, log=self._log, on_delivered=self._delivered_over_mcp, on_lost=self._asking.gone)
        self._http = HttpDoor(self._mcp, self._places.data / "http-token", self._log)
        self._listener = Listener(self._places, {"cli": self._serve_cli, "mcp": self._serve_mcp}, self._identity,
                                  SystemPeers(), self._deadlines, self._log, write_private)

    async def start(self, quit_now: Callable[[], None]) -> None:
        """Answer the socket, then show what waits. `quit_now` ends the process cleanly."""
        self._quit = quit_now
        self._watch_failures()
        self._database.start()
        self._preferences.listen(self._settings_changed)
        await self._board.load()
        await self._persons_side.load()
        self._lifecycle.resume()
        self._on_screen.resume()
        await self._listener.start()
        self._log.info(Event.DAEMON_STARTED, version=__version__, pid=os.getpid(), display=self._display.kind,
                       instance=self._instance)
        if self._display.kind == OFFSCREEN:
            self._log.warning(Event.DISPLAY_MISSING)
        self._on_screen.refresh()
        self._tasks.start(self._after_start(), "after start")
        self._http_wanted(self._preferences.current)

    async def stop(self) -> None:
        """Tell who waits, write what was asked, close."""
        await self._listener.stop("quit")
        await self._http.stop()
        self._hotkeys.release()
        await self._presenter.close()
        self._deadlines.stop()
        await self._tasks.stop()
        await self._database.stop()
        self._log.info(Event.DAEMON_STOPPED)

    def give_up_stopping(self) -> None:
        """Something held the stop up; all that was told is on disk, so leaving at once loses nothing."""
        self._log.warning(Event.SHUTDOWN_SLOW)
        os._exit(0)

    def about(self) -> StatusOutput:
        return StatusOutput(
            pid=os.getpid(), version=__version__, instance=self._instance, display=self._display.kind,
            pending=len(self._on_screen.pending()), uptime_s=round(time.monotonic() - self._started, 1),
            driving=self._input.is_driving(), idle_s=self._presence.idle_s())

    async def tell_set_aside(self, path: Path) -> None:
        """The history was unreadable: the person is told where the file went."""
        self._log.warning(Event.STORE_SET_ASIDE, path=str(path))
        content = Content("The history was damaged and has been set aside", (
            f"AgentBox began a new one. The damaged file is kept as\n\n`{path}`"))
        await self._asking.put(Call(_OWN), None, Kind.NOTICE, Level.WARNING, content)

    async def _after_start(self) -> None:
        self._forget_old()
        self._presenter.watch_tray(self._tray_changed)
        self._grab_summon_key()
        self._config_watch = FileWatch(self._places.config_file, self._preferences.reload)

    def _forget_old(self) -> None:
        days = self._preferences.current.history.days
        before = self._clock.now() - days * _DAY_S
        self._tasks.start(self._board.forget_before(before), "forget old items")
        self._tasks.start(self._sessions.forget_before(before), "forget old sessions")
        self._deadlines.at("forget old items", _DAY_S, self._forget_old)

    def _settings_changed(self, settings: Settings) -> None:
        set_level(settings.log.level)
        self._presenter.restyle()
        self._on_screen.refresh()
        self._grab_summon_key()
        self._http_wanted(settings)

    def _tray_changed(self, is_there: bool) -> None:
        self._log.info(Event.TRAY_SHOWN if is_there else Event.TRAY_MISSING)

    def _grab_summon_key(self) -> None:
        wanted = self._preferences.current.hotkeys.summon or default_combination(sys.platform)
        if wanted == self._summon_key:
            return
        self._hotkeys.release()
        refused = None if wanted == "none" else self._hotkeys.grab(wanted, self._summon)
        self._summon_key = "" if refused else wanted  # one that is taken is tried again with the next settings
        if refused:
            self._log.warning(Event.HOTKEY_REFUSED, combination=wanted, why=refused)
        elif wanted != "none":
            self._log.info(Event.HOTKEY_GRABBED, combination=wanted)

    def _http_wanted(self, settings: Settings) -> None:
        self._tasks.start(self._switch_http(settings), "switch HTTP")

    async def _switch_http(self, settings: Settings) -> None:
        """HTTP as the settings say: off, or on at this port."""
        if not settings.mcp.http or self._http.port != settings.mcp.port:
            await self._http.stop()
        if not settings.mcp.http:
            return
        try:
            self._http.port = settings.mcp.port
            await self._http.start()
        except Refused as refused:
            self._log.warning(Event.HTTP_FAILED, why=refused.message)

    async def _serve_cli(self, lines: Lines, visitor: Visitor) -> None:
        async def require_person(verb: str) -> None:
            if verb in _DECIDING_VERBS and not self._preferences.current.safety.person_verbs:
                raise Refused("Deciding from a terminal is switched off ([safety] person_verbs in config.toml); "
                              "use the card.", "person_only")
            await self._identity.require_person(visitor.pid, verb)

        await self._rpc.serve(lines, visitor.caller, visitor.hello.client, require_person)

    async def _serve_mcp(self, lines: Lines, visitor: Visitor) -> None:
        hello = visitor.hello
        session = McpSession(visitor.caller, hello.client, hello.toolset, hello.profile, hello.call_limit_s)
        try:
            await self._mcp.serve(lines.reader, lines.writer, session)
        finally:
            self._asking.gone(f"{hello.client}:")

    async def _delivered_over_mcp(self, session: McpSession, key: str) -> None:
        await self._asking.delivered(session.caller.session, key)

    def _somebody_can_answer(self) -> bool:
        return self._display.kind != OFFSCREEN or self._preferences.current.safety.person_verbs

    def _quit_now(self) -> None:
        self._quit()

    def _summon(self) -> None:
        """The key, the tray: the card gets the keyboard, and what was put off comes back for it."""
        self._tasks.start(self._on_screen.summon(), "summon")

    def _watch_failures(self) -> None:
        """What Qt warns of, and what nobody caught, goes to the log."""
        def qt_message(kind: QtMsgType, _context: object, text: str) -> None:
            if kind is not QtMsgType.QtDebugMsg:
                self._log.error(Event.QT_MESSAGE, kind=kind.name, text=text)

        def unhandled(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            error = context.get("exception")
            self._log.error(Event.TASK_FAILED, what=context.get("message"), error=type(error).__name__,
                            where=where(error) if error is not None else "")

        qInstallMessageHandler(qt_message)
        asyncio.get_running_loop().set_exception_handler(unhandled)
        sys.excepthook = lambda kind, error, _trace: self._log.error(
            Event.TASK_FAILED, what="uncaught", error=kind.__name__, where=where(error))
