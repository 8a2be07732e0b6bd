"""The person's way in from a terminal: status, pending, answer, dismiss, summon, quit."""

from argparse import Namespace

from agentbox_desktop.cli.calls import Calls
from agentbox_desktop.cli.client import NobodyListens
from agentbox_desktop.cli.failures import DaemonQuit, Misuse
from agentbox_desktop.cli.output import harmless, harmless_line, say, write, write_json
from agentbox_desktop.cli.verb import Parser, Verb
from agentbox_desktop.core.exits import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost every verb the import of typing
    from typing import Any


def _status(arguments: Namespace) -> int:
    status = Calls(arguments).request("status", {})
    if arguments.json:
        write_json(status)
    else:
        instance = f", instance {status['instance']}" if status.get("instance") else ""
        write(f"AgentBox {status['version']} is running (process {status['pid']}{instance}, display "
              f"{status['display']}); {status['pending']} waiting.")
    return Exit.OK


def _pending(arguments: Namespace) -> int:
    if arguments.id is not None:
        return _whole_item(arguments)
    items = Calls(arguments).request("pending", {})["items"]
    if arguments.json:
        write_json(items)
    elif items:
        write("\n".join(map(_listed, items)))
    else:
        say("Nothing is waiting.")
    return Exit.OK


def _whole_item(arguments: Namespace) -> int:
    """All that a card would show, so that nobody decides on less."""
    item = Calls(arguments).request("read_item", {"id": arguments.id})
    if arguments.json:
        write_json(item)
        return Exit.OK
    described = zip(item["options"], item["descriptions"], strict=True)
    options = [f"  {number}  {harmless_line(label)}" + (f"\n     {harmless_line(said)}" if said else "")
               for number, (label, said) in enumerate(described, 1)]
    previews = [f"Preview of {harmless_line(label)}:\n{harmless(preview)}"
                for label, preview in zip(item["options"], item["previews"], strict=True) if preview]
    default = [f"Default: {', '.join(map(harmless_line, item['default']))}"] if item["default"] else []
    parts = [_head(item), harmless_line(item["title"]), harmless(item["body"]), harmless_line(item["image"]),
             "\n".join(options), *previews, *default]
    write("\n\n".join(part for part in parts if part))
    return Exit.OK


def _answer(arguments: Namespace) -> int:
    if (arguments.value is None) == (arguments.reply is None):
        raise Misuse("answer needs a value or --reply, and not both.")
    given = {"value": arguments.value} if arguments.reply is None else {"reply": arguments.reply}
    calls = Calls(arguments)
    item = calls.request("read_item", {"id": arguments.id})
    decided = calls.request("answer", {"id": item["id"], "digest": item["digest"], **given})
    return _decided(arguments, decided, f"Answered: {harmless_line(item['title'])}")


def _dismiss(arguments: Namespace) -> int:
    decided = Calls(arguments).request("dismiss", {"id": arguments.id})
    return _decided(arguments, decided, f"Dismissed {decided['id']}.")


def _summon(arguments: Namespace) -> int:
    result = Calls(arguments).request("summon", {})
    if arguments.json:
        write_json(result)
    elif not result["summoned"]:
        say("Nothing is on screen to give the keyboard to.")
    return Exit.OK


def _quit(arguments: Namespace) -> int:
    try:
        Calls(arguments, starts=False).request("quit", {})
    except NobodyListens:
        say("AgentBox is not running.")
    except DaemonQuit:
        return Exit.OK  # its goodbye was faster than its answer
    return Exit.OK


def _decided(arguments: Namespace, decided: "dict[str, Any]", message: str) -> int:
    if arguments.json:
        write_json(decided)
    else:
        say(message)
    return Exit.OK


def _head(item: "dict[str, Any]") -> str:
    caller = " · ".join(harmless_line(name) for name in (item["agent"], item["project"]) if name)
    return f"{item['id']}  {item['kind']}  {item['level']}  {_age(item['age_s'])}  {item['state']}  {caller}"


def _listed(item: "dict[str, Any]") -> str:
    options = (f"    {number}  {harmless_line(label)}" for number, label in enumerate(item["options"], 1))
    return "\n".join((_head(item), f"  {harmless_line(item['title'])}", *options))


def _age(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds >= size:
            return f"{seconds // size:.0f}{unit}"
    return f"{seconds:.0f}s"


def _answer_flags(parser: Parser) -> None:
    _id_flag(parser)
    parser.add_argument("value", nargs="?", metavar="VALUE",
                        help="an option's number or label (several: 1,3 or a JSON array), yes or no, or text")
    parser.add_argument("--reply", metavar="TEXT", help="words instead of one of the options")


def _pending_flags(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="show this item whole: its text, options and previews")


def _id_flag(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help="an id from `agentbox pending`, or a unique beginning of one")


VERBS = {
    "status": Verb("Whether AgentBox runs, and what waits.", "agentbox status --json", _status),
    "pending": Verb("List what waits for you, or show one item whole.", "agentbox pending itm_06", _pending,
                    _pending_flags),
    "answer": Verb("Answer a question from here.", "agentbox answer itm_06 2", _answer, _answer_flags),
    "dismiss": Verb("Put a question or notice away unanswered.", "agentbox dismiss itm_06", _dismiss, _id_flag),
    "summon": Verb("Give the card on screen the keyboard.", "agentbox summon", _summon),
    "quit": Verb("End AgentBox; what waits stays.", "agentbox quit", _quit),
}
