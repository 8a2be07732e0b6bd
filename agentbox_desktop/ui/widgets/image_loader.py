"""Images decoded beside the event loop."""

from PySide6.QtCore import QObject, QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QImage, QImageReader


class ImageLoader(QObject):
    """Lives until its last image is there, also where nobody waits for it any more: it has no parent."""

    loaded = Signal(str, QSize, QImage)  # what was asked for, and the picture; null where that is damaged

    def load(self, path: str, room: QSize) -> None:
        """Decode the file at `path`, and shrink what is larger than `room` pixels."""
        QThreadPool.globalInstance().start(lambda: self.loaded.emit(path, room, decode(path, room)))


def decode(path: str, room: QSize) -> QImage:
    """The picture in the file at `path`, turned as its camera was, at most as large as `room`."""
    reader = QImageReader(path)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)
    image = reader.read()
    if image.width() <= room.width() and image.height() <= room.height():
        return image
    return image.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
