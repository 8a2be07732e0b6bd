"""Ids in time order: a prefix and 26 lower-case characters (UUIDv7, RFC 9562, in base32)."""

import secrets
import threading

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: sorts as it counts, no i, l, o, u
_lock = threading.Lock()
_last_ms = 0
_last_tail = 0


def new_id(prefix: str, now: float) -> str:
    """An id such as `itm_06…`; later calls of one process sort later, even within a millisecond.

    `now` is Unix seconds.
    """
    global _last_ms, _last_tail  # noqa: PLW0603 - a monotonic counter has to live somewhere
    with _lock:
        ms = max(int(now * 1000), _last_ms)
        _last_tail = secrets.randbits(73) if ms > _last_ms else _last_tail + 1
        _last_ms = ms
        tail = _last_tail
    rand_a, rand_b = (tail >> 62) & 0xFFF, tail & ((1 << 62) - 1)
    value = (ms & ((1 << 48) - 1)) << 80 | 0x7 << 76 | rand_a << 64 | 0b10 << 62 | rand_b
    return f"{prefix}_{_base32(value)}"


def _base32(value: int) -> str:
    return "".join(_ALPHABET[(value >> shift) & 31] for shift in range(125, -1, -5))
