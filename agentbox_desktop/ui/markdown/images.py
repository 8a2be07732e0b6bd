"""Local images: which may be shown, and how large."""

import stat
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QImageIOHandler, QImageReader

from agentbox_desktop.core.limits import IMAGE_BYTES

PIXELS_MAX = 40_000_000  # decoded, four bytes each
_MAGIC = ((b"\x89PNG\r\n\x1a\n", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF87a", "GIF"), (b"GIF89a", "GIF"))


def image_problem(path: str) -> str | None:
    """Why the file at `path` can't be shown as a picture, as words that end a sentence; None where it can."""
    if path.startswith(("\\\\", "//")):
        return "it is on another machine, and nothing is fetched"
    file = Path(path)
    if "\0" in path or not file.is_absolute():
        return "its path is not absolute"
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            return "it is no file"
        if status.st_size > IMAGE_BYTES:
            return f"it has {status.st_size / 2**20:.1f} MiB, and {IMAGE_BYTES // 2**20} MiB is the most"
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        return (error.strerror or "it can't be read").lower()
    if _kind(head) is None:
        return "it is no PNG, JPEG, GIF or WebP"
    size = image_size(path)
    if not size.isValid() or size.isEmpty():
        return "it is damaged"
    if size.width() * size.height() > PIXELS_MAX:
        return f"it is {size.width()} × {size.height()} pixels, more than can be shown"
    return None


def image_size(path: str) -> QSize:
    """The size in pixels, turned as its camera was; read from the file's head alone, not valid where there is none."""
    reader = QImageReader(path)
    reader.setDecideFormatFromContent(True)
    on_its_side = reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90
    return reader.size().transposed() if on_its_side else reader.size()


def _kind(head: bytes) -> str | None:
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    return "WebP" if head[:4] == b"RIFF" and head[8:12] == b"WEBP" else None
