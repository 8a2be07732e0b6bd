"""`python -m agentbox_desktop …` is the same as `agentbox …`."""

from agentbox_desktop.cli.main import run

run()
