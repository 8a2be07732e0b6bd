"""`agentbox`: find the verb, read its flags, run it, and turn whatever happens into an exit status."""

import argparse
import gc
import os
import sys

from agentbox_desktop.cli.failures import Failure, Misuse
from agentbox_desktop.cli.output import say, write
from agentbox_desktop.cli.session_environment import complete
from agentbox_desktop.cli.verb import HelpShown, Verb, instance_name
from agentbox_desktop.core.exits import Exit
from agentbox_desktop.core.refusal import Refused

_AGENTS_VERBS = ("notify", "ask", "input", "confirm", "retract")
_PERSONS_VERBS = ("status", "pending", "answer", "dismiss", "summon", "quit")
_OTHER_VERBS = ("mcp", "setup", "docs", "schema", "logs", "daemon", "version")
_ALL_VERBS = (*_AGENTS_VERBS, *_PERSONS_VERBS, *_OTHER_VERBS)
_INTERRUPTED = 130  # what a shell makes of a process that SIGINT ended
_CALLERS_MISTAKES = frozenset({"invalid", "not_found", "ambiguous"})


def main(words: list[str] | None = None) -> int:
    """Run `agentbox WORDS`; the exit status, as `core.exits` lists them."""
    try:
        return _run(sys.argv[1:] if words is None else words)
    except Failure as failure:
        say(f"agentbox: {failure.message}")
        return failure.exit
    except Refused as refused:
        say(f"agentbox: {refused.message}")
        return Exit.USAGE if refused.code in _CALLERS_MISTAKES else Exit.FAULT
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        return Exit.FAULT


def verbs() -> dict[str, Verb]:
    """Every verb there is by its name, in the order they are listed."""
    return {name: _verb(name) for name in _ALL_VERBS}


def run() -> None:
    """The console script: `main`, and then straight out, because to take an interpreter down costs a verb's time."""
    gc.disable()  # nothing is made that a verb would live to see collected
    status = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:  # whoever read it has gone
            status = status or Exit.FAULT
    os._exit(status)


def _run(words: list[str]) -> int:
    complete(os.environ)
    instance, words = _instance_before_the_verb(words)
    if not words or words[0] in ("-h", "--help"):
        (write if words else say)(_overview())
        return Exit.OK if words else Exit.USAGE
    name = "version" if words[0] == "--version" else words[0]
    verb = _verb(name)
    parser = verb.parser(name)
    arguments = argparse.Namespace(verb=name, instance=instance, rest=words[1:] if verb.passes_on else [])
    try:
        return verb.run(parser.parse_args([] if verb.passes_on else words[1:], arguments))
    except HelpShown:
        return Exit.OK
    except Misuse as misuse:
        raise Misuse(f"{misuse.message}\nRight form: {parser.right_form}\nExample:    {verb.example}") from None


def _instance_before_the_verb(words: list[str]) -> tuple[str, list[str]]:
    flag, equals, name = words[0].partition("=") if words else ("", "", "")
    if flag != "--instance":
        return "", words
    name, rest = (name, words[1:]) if equals else ("".join(words[1:2]), words[2:])
    try:
        return instance_name(name), rest
    except argparse.ArgumentTypeError as error:
        raise Misuse(f"--instance: {error}.\nRight form: agentbox --instance NAME VERB [--flag VALUE ...]\n"
                     "Example:    agentbox --instance second status") from None


def _verb(name: str) -> Verb:
    """Import the one module that has the verb: most of a short verb's time is imports."""
    found: dict[str, Verb]
    if name in _AGENTS_VERBS:
        from agentbox_desktop.cli.verbs.asking import VERBS as found
    elif name in _PERSONS_VERBS:
        from agentbox_desktop.cli.verbs.person import VERBS as found
    elif name in _OTHER_VERBS:
        from agentbox_desktop.cli.verbs.other import VERBS as found
    else:
        from difflib import get_close_matches

        near = get_close_matches(name, _ALL_VERBS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the verbs are {', '.join(_ALL_VERBS)}."
        raise Misuse(f"There is no verb {name!r}; {hint}\n"
                     "Right form: agentbox VERB [--flag VALUE ...]\n"
                     'Example:    agentbox ask --title "Which region?" --option us-east --option eu-west')
    return found[name]


def _overview() -> str:
    lines = ["agentbox VERB [--flag VALUE ...]", ""]
    for title, names in (("ask and tell", _AGENTS_VERBS), ("the person's", _PERSONS_VERBS), ("other", _OTHER_VERBS)):
        lines += [f"{title}:", *(f"  {name:9} {_verb(name).summary}" for name in names), ""]
    return "\n".join([*lines, "`agentbox VERB --help` shows a verb's flags and an example."])
