"""From `agentbox ask` in a shell to the card, beside the dialogs a script would use instead."""

import sys
import time
from collections.abc import Iterator, Mapping
from statistics import median

from agentbox_desktop.ui.theme import TOKENS
from tests.benchmarks.door_connection import DoorConnection
from tests.benchmarks.measuring import launch, ms
from tests.benchmarks.peers import bare_window
from tests.benchmarks.stage import Stage
from tests.benchmarks.table import Row
from tests.benchmarks.window_watch import WindowWatch
from tests.helpers.children import end
from tests.helpers.desk import AGENTBOX, Desk
from tests.helpers.display import AGENTBOX_CLASS
from tests.helpers.waiting import wait_until

_RUNS, _COLD_RUNS = 15, 6
_OF_ZENITY = 0.5
_COLD_BAR_S = 1.2
_QUESTION = "Which region?"
_ASK = (str(AGENTBOX), "ask", "--title", _QUESTION, "--option", "us-east", "--option", "eu-west")
_ZENITY = ("zenity", "--question", f"--title={_QUESTION}", "--text=us-east or eu-west?")
_YAD = ("yad", f"--title={_QUESTION}", "--text=us-east or eu-west?", "--button=us-east:0", "--button=eu-west:1")
_BARE = (sys.executable, bare_window.__file__)
_SURFACE = TOKENS["surface"][1]  # the stage's theme is the light one
_PADDING_X = 10  # a column of the card where nothing but its surface is


def measure_warm(stage: Stage) -> Iterator[Row]:
    watch = WindowWatch(stage.display.name)
    mapped: list[float] = []
    painted: list[float] = []
    zenity: list[float] = []
    yad: list[float] = []
    with stage.desk("card") as desk:
        desk.start()
        for _ in range(_RUNS):
            at = _card(watch, desk)
            mapped.append(at[0])
            painted.append(at[1])
            zenity.append(_dialog(watch, _ZENITY, "zenity", desk.environment))
            yad.append(_dialog(watch, _YAD, "yad", desk.environment))
    watch.close()
    ours, of_zenity, of_yad = median(painted), median(painted) / median(zenity), median(painted) / median(yad)
    yield Row(
        "agentbox ask → card mapped, painted",
        f"{ms(median(mapped))}, {ms(ours)} = {of_zenity:.2f} × zenity, {of_yad:.2f} × yad",
        f"≤ {_OF_ZENITY:g} × zenity, < yad", f"zenity {ms(median(zenity))}, yad {ms(median(yad))} (mapped)",
        of_zenity <= _OF_ZENITY and of_yad < 1,
        {"mapped_s": median(mapped), "painted_s": ours, "zenity_s": median(zenity), "yad_s": median(yad)})


def measure_cold(stage: Stage) -> Iterator[Row]:
    watch = WindowWatch(stage.display.name)
    painted: list[float] = []
    bare: list[float] = []
    with stage.desk("cold") as desk:
        desk.start()  # so that the store exists
        _quit(desk)
        for _ in range(_COLD_RUNS):
            painted.append(_card(watch, desk)[1])
            _quit(desk)
            bare.append(_dialog(watch, _BARE, bare_window.CLASS, desk.environment))
    watch.close()
    yield Row(
        "the same, no daemon running", ms(median(painted)), f"≤ {ms(_COLD_BAR_S)}",
        f"a bare PySide6 window {ms(median(bare))}", median(painted) <= _COLD_BAR_S,
        {"painted_s": median(painted), "bare_window_s": median(bare)})


def _card(watch: WindowWatch, desk: Desk) -> tuple[float, float]:
    """Seconds until the card is mapped and until it is painted; it is dismissed afterwards."""
    watch.skip()
    environment = desk.environment
    begun = time.perf_counter()
    asking = launch(_ASK, environment)
    mapped = watch.wait_for_mapped(AGENTBOX_CLASS)
    painted = watch.wait_for_pixel(mapped.window, _PADDING_X, _SURFACE)
    with DoorConnection(desk) as person:
        person.dismiss_all()
    asking.wait(10)
    desk.wait_for_no_card(_QUESTION)
    return mapped.at - begun, painted - begun


def _dialog(watch: WindowWatch, command: tuple[str, ...], wm_class: str, environment: Mapping[str, str]) -> float:
    """Seconds until the dialog is mapped; it is ended afterwards."""
    watch.skip()
    begun = time.perf_counter()
    process = launch(command, environment)
    mapped = watch.wait_for_mapped(wm_class)
    end(process)
    return mapped.at - begun


def _quit(desk: Desk) -> None:
    desk.cli("quit")
    wait_until(lambda: not desk.processes(), "the daemon to be gone")
