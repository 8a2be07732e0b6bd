"""`python -m agentbox_desktop …` is the same as `agentbox …`."""

import sys

from agentbox_desktop.cli.main import main

sys.exit(main())
