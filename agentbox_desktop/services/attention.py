"""What is heard when something new comes up for the person: an earcon, then the caller's own line if it has one."""

from agentbox_desktop.core.items import Item, Move
from agentbox_desktop.ports import Sound, Speech
from agentbox_desktop.services.board import Board


class Attention:
    def __init__(self, board: Board, sound: Sound, speech: Speech) -> None:
        self._sound = sound
        self._speech = speech
        board.listen(self._moved)

    def _moved(self, item: Item, move: Move) -> None:
        if move is not Move.CREATE:
            return
        self._sound.play("question" if item.asks else item.level.value)
        if item.content.speak:
            self._speech.say(item.content.speak)
