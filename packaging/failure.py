"""The one way in which a step of the bootstrap ends early."""


class BootstrapFailed(Exception):
    """What went wrong and what to do, in one sentence for the person at the terminal."""
