"""What a card says in words of its own: times, counts, and the whole card as text for the clipboard."""

from agentbox_desktop.core.items import Content, Item, Kind
from agentbox_desktop.core.text import one_line, visible

CALLER_GONE = "The agent that asked is no longer connected; your answer is kept for it."


def age(seconds: float) -> str:
    """How long ago, in one unit: `now`, `5 min`, `3 h`, `2 d`."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return "now"
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} d"


def countdown(seconds: float) -> str:
    """`1:57`, or `2:03:11` from an hour on. What has begun of a second counts as one, so 0:00 is the end."""
    whole = max(0, int(-(-seconds // 1)))
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def deadline(item: Item, now: float) -> str:
    """What happens at the item's time-out and when; empty where it has none."""
    if item.expires_at is None:
        return ""
    left = countdown(item.expires_at - now)
    if item.kind is Kind.QUESTION and item.content.default is not None:
        return f"Applies ‘{one_line(', '.join(item.content.default))}’ in {left}"
    return f"Ends unanswered in {left}" if item.asks else f"Leaves in {left}"


def whole_card(item: Item) -> str:
    """Everything the card of `item` shows, as text."""
    caller = item.caller
    who = " · ".join(part for part in (caller.name, caller.project, caller.branch) if part)
    parts = [one_line(who), one_line(item.content.title), visible(item.content.body), item.content.image]
    parts.append("\n".join(_options(item.content)))
    if item.content.default is not None:
        parts.append(f"Default: {', '.join(item.content.default)}")
    return "\n\n".join(visible(part) for part in parts if part)


def _options(content: Content) -> list[str]:
    lines = []
    for number, option in enumerate(content.options, 1):
        lines.append(f"{number}. {option.label}" + (f": {option.description}" if option.description else ""))
        if option.preview:
            lines.append(option.preview.content)
    return lines
