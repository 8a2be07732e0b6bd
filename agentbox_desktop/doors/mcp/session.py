"""One client's connection over MCP, as the door stamped it, and how long that client waits for a call."""

import json
from dataclasses import dataclass, replace

from agentbox_desktop.core.callers import Caller
from agentbox_desktop.core.limits import CLIENT_CUT_MARGIN_S, LABEL_CHARS

_KNOWN_LIMITS_S = {"codex": 300.0, "gemini": 600.0}  # what these cut a call at, whatever they hear meanwhile
_SHORT_LIMIT_S = 2.0 * CLIENT_CUT_MARGIN_S


@dataclass(frozen=True, slots=True)
class McpSession:
    """`client` is the connection's random name; `call_limit_s` is the client's own limit on one call as the
    hello gave it: 0 none, None unknown.
    """

    caller: Caller
    client: str
    toolset: str
    profile: str
    call_limit_s: float | None

    def call_key(self, request_id: object) -> str:
        """Names a call: the same again after a lost connection is the same call."""
        return f"{self.client}:{json.dumps(request_id)}"

    def caller_named(self, client_name: str) -> Caller:
        """The caller, labelled with what its client calls itself where the hello gave no label."""
        if self.caller.agent or not client_name:
            return self.caller
        return replace(self.caller, agent=client_name[:LABEL_CHARS])

    def cut_s(self, client_name: str) -> float | None:
        """After how many seconds a wait has to return `pending`, because the client would cut the call."""
        limit_s = self.call_limit_s
        if limit_s is None:
            name = client_name.lower()
            limit_s = next((limit for word, limit in _KNOWN_LIMITS_S.items() if word in name), 0.0)
        if limit_s <= 0:
            return None
        return limit_s / 2 if limit_s <= _SHORT_LIMIT_S else limit_s - CLIENT_CUT_MARGIN_S
