"""An agent's image at a height that is known before it is decoded, so that nothing moves when it appears."""


from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from agentbox_desktop.core.text import one_line
from agentbox_desktop.ui.markdown.images import image_problem, image_size
from agentbox_desktop.ui.theme import Theme
from agentbox_desktop.ui.widgets.image_loader import ImageLoader
from agentbox_desktop.ui.widgets.text import TextLabel, tooltip


class Picture(QWidget):
    """Scaled down to fit, never up. A file that can't be shown is replaced by a sentence that says why."""

    def __init__(self, theme: Theme, name: str, most_height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._name, self._most_height = theme, name, most_height
        self._path = ""
        self._size = QSize()
        self._image = QImage()
        self._room = QSize()  # device pixels that the image was asked for
        self._loader = ImageLoader()
        self._loader.loaded.connect(self._take)
        self._problem = TextLabel(theme, "controls", "ink2", parent=self)

    def set_path(self, path: str) -> None:
        """Show the file at `path`, decoded beside the loop for the size that it is painted at."""
        self._path, self._image, self._room = path, QImage(), QSize()
        problem = image_problem(path)
        self._size = QSize() if problem else image_size(path)
        words = f"The image {one_line(path)} can't be shown: {problem}." if problem else ""
        self._problem.set_text(words)
        self._problem.setVisible(bool(problem))
        self.setAccessibleName(words or f"{self._name}: {one_line(path)}")
        self.setToolTip(tooltip(path))
        self.update()

    def height_at(self, width: int) -> int:
        if self._size.isEmpty():
            return self._problem.heightForWidth(width)
        return self._fitted(QSize(width, self._most_height)).height()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._problem.setGeometry(0, 0, self.width(), self._problem.heightForWidth(self.width()))
        if self._size.isEmpty():
            return
        place = self.rect()
        place.setSize(self._fitted(self.size()))
        self._ask_for(place.size() * self.devicePixelRatioF())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(place, self._theme.color("sunk"))
        if not self._image.isNull():
            painter.drawImage(place, self._image)
        painter.setPen(QPen(self._theme.color("hairline"), 1))
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        painter.end()

    def _fitted(self, room: QSize) -> QSize:
        fits = self._size.width() <= room.width() and self._size.height() <= room.height()
        return self._size if fits else self._size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)

    def _ask_for(self, room: QSize) -> None:
        if room != self._room:
            self._room = room
            self._loader.load(self._path, room)

    def _take(self, path: str, room: QSize, image: QImage) -> None:
        if (path, room) == (self._path, self._room):
            self._image = image
            self.update()
