"""What happens to an item by itself: its time-out, the end of its undo grace, a read notice that leaves."""

from collections.abc import Callable

from agentbox_desktop.core.items import Item, Move, State, expire, settle
from agentbox_desktop.core.refusal import Refused
from agentbox_desktop.core.settings import Settings
from agentbox_desktop.ports import Clock, StoreFailed
from agentbox_desktop.services.board import Board
from agentbox_desktop.services.deadlines import DeadlineService
from agentbox_desktop.services.tasks import Tasks

_RETRY_S = 5.0


class Lifecycle:
    """Keeps the deadlines of every live item; the board's moves are its only input."""

    def __init__(self, board: Board, deadlines: DeadlineService, clock: Clock, tasks: Tasks,
                 settings: Callable[[], Settings], there_is_a_screen: bool) -> None:
        self._board = board
        self._deadlines = deadlines
        self._clock = clock
        self._tasks = tasks
        self._settings = settings
        self._held: set[str] = set()  # under the pointer
        self._leaves_after = Move.SEE if there_is_a_screen else Move.CREATE
        board.listen(self._moved)

    def resume(self) -> None:
        """Set the clocks of what was loaded from the store; what fell due meanwhile falls due now."""
        for item in list(self._board.live()):
            self._moved(item, Move.CREATE)

    def hover(self, item: Item, inside: bool) -> None:
        """The clock of a notice stands still under the pointer, and starts anew when it leaves."""
        if inside:
            self._held.add(item.id)
            self._deadlines.cancel(("leave", item.id))
        else:
            self._held.discard(item.id)
            if item.leaves_by_itself and item.state is State.OPEN:
                self._leave_in_a_while(item)

    def _moved(self, item: Item, move: Move) -> None:
        if item.state is State.CLOSED:
            self._held.discard(item.id)
            for clock in ("expire", "settle", "leave"):
                self._deadlines.cancel((clock, item.id))
        elif item.state is State.GRACE:
            self._deadlines.at(("settle", item.id), (item.grace_until or 0) - self._clock.now(),
                               lambda: self._start(item, Move.SETTLE))
        else:
            self._deadlines.cancel(("settle", item.id))
            if item.expires_at is None:
                self._deadlines.cancel(("expire", item.id))
            else:
                self._deadlines.at(("expire", item.id), item.expires_at - self._clock.now(),
                                   lambda: self._start(item, Move.EXPIRE))
            seen_before_a_restart = move is Move.CREATE and item.seen_at is not None
            begins = move is self._leaves_after or seen_before_a_restart
            if begins and item.leaves_by_itself and item.id not in self._held:
                self._leave_in_a_while(item)

    def _leave_in_a_while(self, item: Item) -> None:
        self._deadlines.at(("leave", item.id), self._settings().toasts.seconds,
                           lambda: self._start(item, Move.EXPIRE))

    def _start(self, item: Item, move: Move) -> None:
        self._tasks.start(self._end(item, move), f"{move} {item.id}")

    async def _end(self, item: Item, move: Move) -> None:
        now = self._clock.now()
        try:
            await self._board.move(item.id, move, lambda it: (settle if move is Move.SETTLE else expire)(it, now))
        except Refused as refused:
            if refused.code != "ended":  # the person, or the agent, was first
                raise
        except StoreFailed:  # said in the log; what is decided must still leave once the disk takes it
            self._deadlines.at((move.value, item.id), _RETRY_S, lambda: self._start(item, move))
