"""How windows come and go: a short rise and fade, and nothing at all where the person or the desktop wants none."""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QVariantAnimation
from PySide6.QtWidgets import QWidget

from agentbox_desktop.ui.theme import Motion, Theme

_RISE = 8  # px


def duration_ms(theme: Theme, motion: Motion) -> int:
    """Milliseconds that `motion` takes; a desktop that does not blend windows can't fade one."""
    return theme.motion_ms(motion) if theme.composited else 0


def appear(window: QWidget, theme: Theme) -> None:
    """Show `window` where it is, rising and fading in."""
    time_ms = duration_ms(theme, Motion.IN)
    if time_ms == 0:
        window.show()
        return
    place = window.pos()

    def step(share: float) -> None:
        window.setWindowOpacity(share)
        window.move(place.x(), place.y() + round(_RISE * (1 - share)))

    step(0.0)
    window.show()
    _run(window, time_ms, step)


def vanish(window: QWidget, theme: Theme, then: Callable[[], None]) -> None:
    """Fade `window` out, hide it, and call `then`."""
    time_ms = duration_ms(theme, Motion.OUT) if window.isVisible() else 0
    if time_ms == 0:
        window.hide()
        then()
        return
    animation = _run(window, time_ms, lambda share: window.setWindowOpacity(1 - share))
    animation.finished.connect(window.hide)
    animation.finished.connect(then)


def settle(window: QWidget) -> None:
    """End a movement that is under way, so that `window` can be placed anew."""
    for animation in _motions(window):
        animation.setCurrentTime(animation.duration())


def _run(window: QWidget, time_ms: int, step: Callable[[float], None]) -> QVariantAnimation:
    """The last movement stays with `window`, which it keeps alive and which takes it along in the end: one that ended
    by itself would let go of `window` in the middle of its own deletion, and be deleted by it once more."""
    for earlier in _motions(window):
        earlier.stop()
        earlier.deleteLater()
    animation = QVariantAnimation(window)
    animation.setObjectName("motion")
    animation.setStartValue(0.0)
    animation.setEndValue(1.0)
    animation.setDuration(time_ms)
    animation.setEasingCurve(QEasingCurve.Type.OutCubic)
    animation.valueChanged.connect(step)
    animation.start()
    return animation


def _motions(window: QWidget) -> list[QVariantAnimation]:
    return window.findChildren(QVariantAnimation, "motion")
