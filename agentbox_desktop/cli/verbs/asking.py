"""What an agent puts before the person: notify, ask, input, confirm, retract."""

import json
from argparse import Namespace

from agentbox_desktop.cli.calls import Calls
from agentbox_desktop.cli.failures import DaemonQuit, Misuse
from agentbox_desktop.cli.output import say, write, write_json
from agentbox_desktop.cli.verb import Parser, Verb, duration
from agentbox_desktop.core.exits import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real constant would cost every verb the import of typing
    from typing import Any

_NOBODY = {
    "expired": "Nobody answered in time.",
    "dismissed": "The question was dismissed.",
    "retracted": "The question was withdrawn.",
    "cancelled": "The wait was cancelled.",
}
_FAULTS = {
    "no_ui": "There is no display, and nobody can answer.",
    "pending": "The question is still waiting; run the same command again to wait for its answer.",
}


def _notify(arguments: Namespace) -> int:
    calls = Calls(arguments)
    params = _sent(arguments, "title", "body", "level", "image", "speak", "idempotency_key")
    result = calls.request("notify_user", params)
    _print(arguments, result, result["id"])
    calls.acknowledge()
    return Exit.OK


def _ask(arguments: Namespace) -> int:
    _needs_title(arguments)
    if not arguments.option and arguments.id is None:
        raise Misuse("ask needs 2 to 9 --option; to ask for words use `agentbox input`.")
    params = _sent(arguments, "title", "body", "multi", "strict", "image", "speak", "id", "idempotency_key")
    if arguments.option:
        params["options"] = [_option(word) for word in arguments.option]
    if arguments.default is not None:
        params["default"] = _defaults(arguments) if arguments.multi else arguments.default
    return _question(arguments, "ask_user", params)


def _input(arguments: Namespace) -> int:
    _needs_title(arguments)
    return _question(
        arguments, "ask_user", _sent(arguments, "title", "body", "default", "multiline", "id", "idempotency_key"))


def _confirm(arguments: Namespace) -> int:
    _needs_title(arguments)
    return _question(arguments, "confirm", _sent(arguments, "title", "body", "strict", "id", "idempotency_key"))


def _retract(arguments: Namespace) -> int:
    calls = Calls(arguments)
    result = calls.request("retract", _sent(arguments, "id"))
    if arguments.json or result["ids"]:
        _print(arguments, result, *result["ids"])
    else:
        say("There was nothing left to take back.")
    return Exit.OK


def _question(arguments: Namespace, method: str, params: "dict[str, Any]") -> int:
    if arguments.timeout is not None:
        params["timeout_s"] = arguments.timeout
    calls = Calls(arguments)
    try:
        result = calls.request(method, params, waits=True)
    except DaemonQuit:
        raise DaemonQuit(_how_to_wait_again(arguments)) from None
    status = _report(arguments, result)
    calls.acknowledge()
    return status


def _report(arguments: Namespace, result: "dict[str, Any]") -> int:
    outcome = result["outcome"]
    if arguments.json:
        write_json(result)
    elif outcome == "answered":
        write("\n".join(_answers(result)))
    if "note" in result and not arguments.json:
        say(f"agentbox: {result['note']}")
    if outcome == "answered":
        return Exit.NO if result.get("confirmed") is False else Exit.OK
    if not arguments.json:
        say(f"agentbox: {_NOBODY.get(outcome) or _FAULTS.get(outcome) or outcome}")
    return Exit.NOBODY if outcome in _NOBODY else Exit.FAULT


def _answers(result: "dict[str, Any]") -> list[str]:
    """The answer alone, a line for each chosen option; words written instead of choosing come first of all."""
    if result.get("reply") is not None:
        return [result["reply"]]
    if "confirmed" in result:
        return ["yes" if result["confirmed"] else "no"]
    return list(result["answers"]) if result.get("answers") is not None else [result["answer"]]


def _print(arguments: Namespace, result: "dict[str, Any]", *lines: str) -> None:
    if arguments.json:
        write_json(result)
    else:
        write("\n".join(lines))


def _sent(arguments: Namespace, *names: str) -> "dict[str, Any]":
    """The parameters that were given; what was not is the daemon's default."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value is not None and value is not False}


def _needs_title(arguments: Namespace) -> None:
    if arguments.title is None and arguments.id is None:
        raise Misuse("--title is required (or --id, to wait for an earlier question again).")


def _option(word: str) -> "str | dict[str, str]":
    label, separator, description = word.partition("::")
    return {"label": label, "description": description} if separator else label


def _defaults(arguments: Namespace) -> list[str]:
    """The labels that --default names where several may be chosen: a label, numbers such as 1,3, or a JSON array."""
    word, labels = arguments.default, [option.partition("::")[0] for option in arguments.option]
    if word in labels:
        return [word]
    if word.startswith("["):
        try:
            return [str(label) for label in json.loads(word)]
        except ValueError:
            raise Misuse(f"--default looks like a JSON array but is none: {word}") from None
    parts = [part.strip() for part in word.split(",")]
    return [labels[int(part) - 1] if part.isdecimal() and 1 <= int(part) <= len(labels) else part for part in parts]


def _how_to_wait_again(arguments: Namespace) -> str:
    again = f"agentbox {arguments.verb} --id {arguments.id}" if arguments.id else "agentbox pending"
    return ("AgentBox was quit; the question stays. To wait for its answer run the same command again, "
            f"or look for it with `{again}`.")


def _asking_flags(parser: Parser, blocks: bool = True) -> None:
    parser.add_argument("--title", metavar="TEXT", required=not blocks, help="one line that can be decided on alone")
    parser.add_argument("--body", metavar="MARKDOWN", help="what the person needs to know, at most 256 KiB")
    if blocks:
        parser.add_argument("--timeout", metavar="TIME", type=duration, help="how long to wait: 120, 90s, 2m, 1h")
        parser.add_argument("--id", metavar="ID", help="wait again for an earlier question of this session")
    parser.add_argument("--idempotency-key", metavar="KEY", help="a repeat with the same key is the same call")


def _notify_flags(parser: Parser) -> None:
    _asking_flags(parser, blocks=False)
    parser.add_argument("--level", choices=("info", "success", "warning", "error", "urgent"))
    _picture_and_voice(parser)


def _ask_flags(parser: Parser) -> None:
    _asking_flags(parser)
    parser.add_argument("--option", metavar="LABEL[::DESCRIPTION]", action="append", default=[], help="2 to 9 of them")
    parser.add_argument("--multi", action="store_true", help="several may be chosen")
    parser.add_argument("--default", metavar="LABEL", help="taken at the time-out; with --multi 1,3 or a JSON array")
    parser.add_argument("--strict", action="store_true", help="only the options, no reply in words")
    _picture_and_voice(parser)


def _input_flags(parser: Parser) -> None:
    _asking_flags(parser)
    parser.add_argument("--default", metavar="TEXT", help="taken at the time-out")
    parser.add_argument("--multiline", action="store_true", help="the answer may have several lines")


def _confirm_flags(parser: Parser) -> None:
    _asking_flags(parser)
    parser.add_argument("--strict", action="store_true", help="only yes or no, no reply in words")


def _picture_and_voice(parser: Parser) -> None:
    parser.add_argument("--image", metavar="PATH", help="absolute path of a picture")
    parser.add_argument("--speak", metavar="LINE", help="said aloud when speech is on")


def _retract_flags(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="absent: everything this session still has open")


VERBS = {
    "notify": Verb("Show a message; prints its id.",
                   'agentbox notify --title "Build finished" --level success', _notify, _notify_flags),
    "ask": Verb("Ask a question with options and wait for the choice.",
                'agentbox ask --title "Which region?" --option us-east --option "eu-west::closer to users"',
                _ask, _ask_flags),
    "input": Verb("Ask for words and wait for them.",
                  'agentbox input --title "Name of the release?" --default nightly --timeout 2m', _input, _input_flags),
    "confirm": Verb("Ask for a yes or a no: exit 0 for yes, 1 for no.",
                    'agentbox confirm --title "Push 3 commits to main?" --timeout 120 || exit 1',
                    _confirm, _confirm_flags),
    "retract": Verb("Take back what this session still has open.", "agentbox retract itm_06", _retract, _retract_flags),
}
