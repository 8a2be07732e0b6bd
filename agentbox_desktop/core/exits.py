"""Exit codes of `agentbox`: what a script may branch on."""

from enum import IntEnum


class Exit(IntEnum):
    """The one meaning of each status of a verb."""

    OK = 0  # answered, yes, done
    NO = 1  # answered no, declined
    USAGE = 2  # the command itself is wrong
    NOBODY = 3  # expired, dismissed, retracted, cancelled
    FAULT = 4  # AgentBox could not do it, or nobody could ever answer
