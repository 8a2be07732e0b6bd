"""A call as it reaches a service: who made it, how it is told apart from others, how long it may be parked."""

from dataclasses import dataclass

from agentbox_desktop.core.callers import Caller


@dataclass(frozen=True, slots=True)
class Call:
    """`key` names the call within its session (empty: it can't be repeated); a second call with the same key
    is the same call. `bound_s`: when a wait nobody hears of ends `expired`. `cut_s`: when a wait returns
    `pending`, because the client would cut the call soon after.
    """

    caller: Caller
    key: str = ""
    bound_s: float | None = None
    cut_s: float | None = None
