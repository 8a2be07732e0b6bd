"""What stands in for the outside things that have no adapter yet: silence, and not knowing."""


class NullSound:
    """Implements the `Sound` port."""

    def play(self, earcon: str) -> None:
        return


class NullSpeech:
    """Implements the `Speech` port."""

    def say(self, text: str) -> None:
        return


class NullPresence:
    """Implements the `Presence` port."""

    def idle_s(self) -> float | None:
        return None


class NullInput:
    """Implements the `Input` port."""

    def is_driving(self) -> bool:
        return False
