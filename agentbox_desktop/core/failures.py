"""What the log may say of a failure: an exception's own words may be an agent's or the person's."""

import traceback


def where(error: BaseException) -> str:
    """The innermost line of ours or of a library."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
