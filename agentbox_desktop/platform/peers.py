"""Who is at the other end of a local connection, as the system vouches for it."""

import os
import socket
import struct
import sys
from typing import Any

from agentbox_desktop.core.refusal import Refused

_MACOS_SOL_LOCAL = 0
_MACOS_LOCAL_PEERPID = 2  # <sys/un.h>


class SystemPeers:
    """Implements the `Peers` port."""

    def admit(self, socket: Any) -> int:
        if sys.platform == "win32":
            return _windows(socket)
        if sys.platform == "darwin":
            pid = struct.unpack("i", socket.getsockopt(_MACOS_SOL_LOCAL, _MACOS_LOCAL_PEERPID, 4))[0]
            return int(pid)  # the folder's mode keeps other users out: 0700, and the socket 0600
        return _linux(socket)


def _linux(connection: Any) -> int:
    size = struct.calcsize("3i")
    pid, uid, _gid = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    if uid != os.getuid():
        raise Refused("This AgentBox belongs to another user.", "refused")
    return int(pid)


def _windows(connection: Any) -> int:
    import psutil

    port = connection.getpeername()[1]
    for found in psutil.net_connections(kind="tcp4"):
        if found.laddr and found.laddr.port == port and found.pid:
            return int(found.pid)
    return 0
