"""Who is calling: the door stamps a caller from the process table; what the caller says of itself is a label."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from agentbox_desktop.core.callers import SHELL_SESSION, Caller, Process, agent_process, is_adopted
from agentbox_desktop.core.limits import LABEL_CHARS
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.ports import Clock, Processes, SessionRepository, Workspace

_REDIAL_S = 10.0
_LABELS = ("agent", "project", "session", "key")


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """Where a caller stands: its own process first in `line`, then its ancestors, nearest first."""

    line: list[Process]
    project: str
    branch: str


class Identity:
    """Stamps callers and tells the person from the agents. `own_pid` is the daemon's."""

    def __init__(self, processes: Processes, workspace: Workspace, sessions: SessionRepository, clock: Clock,
                 own_pid: int | None = None) -> None:
        self._processes = processes
        self._workspace = workspace
        self._sessions = sessions
        self._clock = clock
        self._own_pid = os.getpid() if own_pid is None else own_pid
        self._agents: _Agents | None = None
        self._held: dict[str, str] | None = None
        self._keys: dict[str, str] = {}  # of the bridges that are connected
        self._connections: Counter[str] = Counter()
        self._started = clock.now()

    async def stamp(self, hello: Mapping[str, Any], peer_pid: int, door: str) -> Caller:
        """The caller behind a hello; with role `mcp`, `release` gives its session key back.

        Raises `Refused` ("invalid") for a label that can't be used or a process that is gone, and
        `StoreFailed` where a new agent can't be remembered.
        """
        labels = _labels(hello)
        around = await self._look_around(peer_pid, str(hello.get("cwd") or ""))
        agent: Process | None
        if labels["key"]:
            agent, session = await self._named_session(labels["key"], around.line)
        elif hello.get("role") == "mcp":
            agent = await self._bridged_agent(around.line)
            session = await self._take_key(agent, str(hello.get("client") or ""))
        else:
            agent = (await self._known_agents()).nearest(around.line)
            session = SHELL_SESSION if agent is None else agent.key
        return Caller(
            session=session, executable="" if agent is None else agent.executable or agent.name,
            pid=0 if agent is None else agent.pid, agent=labels["agent"],
            project=labels["project"] or around.project, branch=around.branch, session_label=labels["session"],
            door=door,
        )

    async def hung_up(self, client: str) -> None:
        """This bridge ended its connection itself, so it will not dial again after a restart either."""
        (await self._held_keys()).pop(client, None)
        await self._sessions.release(client)

    def release(self, client: str) -> None:
        """A connection of this bridge has ended; with the last one its key is free for another bridge."""
        self._connections[client] -= 1
        if self._connections[client] <= 0:
            del self._connections[client]
            self._keys.pop(client, None)

    async def is_person(self, peer_pid: int) -> bool:
        """Whether a process is neither an agent's, nor below one, nor below this daemon; False where it is gone.

        One that nobody above it vouches for any more is the person's only in a terminal that no agent shares.
        """
        line = self._line(peer_pid)  # some tenths of a millisecond; a thread would take longer
        if not line or any(process.pid == self._own_pid for process in line):
            return False
        agents = await self._known_agents()
        if agents.nearest(line) is not None:
            return False
        own, *ancestors = line
        if not is_adopted(ancestors):
            return True
        return own.has_terminal and own.session_id not in await asyncio.to_thread(self._sessions_of, agents)

    def _sessions_of(self, agents: "_Agents") -> set[int]:
        """The POSIX sessions that agents live in."""
        found = (self._processes.get(agent.pid) for agent in agents.all())
        return {process.session_id for process in found if process is not None and agents.find(process) is not None}

    async def require_person(self, peer_pid: int, verb: str) -> None:
        """Raises `Refused` ("person_only") unless the person is asking."""
        if not await self.is_person(peer_pid):
            raise Refused(
                f"{verb} is the person's own: it is refused here because this command was started by an agent "
                "or by AgentBox itself; the person can run it in a terminal of their own, or use the card.",
                "person_only")

    async def _look_around(self, pid: int, folder: str) -> _Surroundings:
        line, (project, branch) = await asyncio.to_thread(
            lambda: (self._line(pid), self._workspace.describe(folder)))
        if not line:
            raise Refused("The process that called is gone; call again from one that waits for its answer.", "invalid")
        return _Surroundings(line, project, branch)

    def _line(self, pid: int) -> list[Process]:
        own = self._processes.get(pid)
        return [] if own is None else [own, *self._processes.ancestors(pid)]

    async def _bridged_agent(self, line: list[Process]) -> Process:
        """The agent of a bridge, as it was first seen; a bridge that nobody started is its own."""
        bridge, *ancestors = line
        found = agent_process(ancestors) or bridge
        return (await self._known_agents()).find(found) or found

    async def _take_key(self, agent: Process, client: str) -> str:
        """The session key of this bridge: the one it had, else the first that no other bridge of its agent has."""
        held, agents = await self._held_keys(), await self._known_agents()
        before = held.get(client)
        # Bridges that a restart cut off come back for theirs.
        returning = held if self._clock.now() - self._started < _REDIAL_S else {}
        # From here to the taking nothing is awaited: two bridges that come together must not get one key.
        taken = {key for holder, key in (returning | self._keys).items() if holder != client}
        if before is None or not _belongs(before, agent):
            before = next(key for key in _keys_of(agent) if key not in taken)
        self._keys[client] = held[client] = before
        self._connections[client] += 1
        agents.add(agent)
        try:
            await self._sessions.remember(before, client, agent, self._clock.now())
        except BaseException:
            self.release(client)
            del held[client]
            raise
        return before

    async def _named_session(self, key: str, line: list[Process]) -> tuple[Process, str]:
        """The agent and session that `key` names, for a caller below that agent."""
        agents = await self._known_agents()
        for process in line:
            agent = agents.find(process)
            if agent is not None and _belongs(key, agent):
                return agent, key
        raise Refused(f"key {key!r} is not a session of an agent above this process; leave it out, "
                      "or call from within that agent.", "invalid")

    async def _held_keys(self) -> dict[str, str]:
        """The key of each bridge that has not hung up, whether it is connected or not."""
        if self._held is None:
            stored = await self._sessions.held()
            if self._held is None:  # another call may have read them meanwhile
                self._held = stored
        return self._held

    async def _known_agents(self) -> "_Agents":
        if self._agents is None:
            stored = await self._sessions.agents()
            if self._agents is None:  # another call may have read them meanwhile
                self._agents = _Agents(stored)
        return self._agents


class _Agents:
    """Every agent process ever seen, as it was first seen: a start time shifts when the clock is set."""

    def __init__(self, stored: Iterable[Process]) -> None:
        self._by_pid: dict[int, list[Process]] = {}
        for agent in stored:
            self.add(agent)

    def add(self, agent: Process) -> None:
        if self.find(agent) is None:
            self._by_pid.setdefault(agent.pid, []).append(agent)

    def all(self) -> list[Process]:
        return [agent for agents in self._by_pid.values() for agent in agents]

    def find(self, process: Process) -> Process | None:
        return next((agent for agent in self._by_pid.get(process.pid, ()) if agent.is_same(process)), None)

    def nearest(self, line: Iterable[Process]) -> Process | None:
        return next((agent for process in line if (agent := self.find(process)) is not None), None)


def _labels(hello: Mapping[str, Any]) -> dict[str, str]:
    sent = hello.get("labels") or {}
    if not isinstance(sent, Mapping):
        raise Refused("labels must be an object of words.", "invalid")
    labels = {}
    for name in _LABELS:
        value = sent.get(name) or ""
        if not isinstance(value, str):
            raise Refused(f"labels.{name} must be text.", "invalid")
        if len(value) > LABEL_CHARS:
            raise Refused(f"labels.{name} is at most {LABEL_CHARS} characters; {len(value)} were sent.", "invalid")
        labels[name] = value
    return labels


def _keys_of(agent: Process) -> Iterator[str]:
    yield agent.key
    for number in count(2):
        yield f"{agent.key}-{number}"


def _belongs(key: str, agent: Process) -> bool:
    """Whether `key` is this agent's own or that of one of its further bridges."""
    return key == agent.key or (key.startswith(f"{agent.key}-") and key.removeprefix(f"{agent.key}-").isdecimal())
