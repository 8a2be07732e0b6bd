"""Each verb against a scripted daemon, from a real shell: what it sends, what it prints, how it exits."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.helpers.command_line import CommandLine, command_line, finished
from tests.helpers.fake_daemon import FakeDaemon, Message, park

ITEM = "itm_06dz0000000000000000000000"
ANSWERED: Message = {"id": ITEM, "outcome": "answered", "default_applied": False, "seen": True}
ASK = "agentbox ask --title Region --option us --option eu"


@pytest.fixture
def command() -> Iterator[CommandLine]:
    with command_line() as ours:
        yield ours


@pytest.fixture
async def daemon(command: CommandLine) -> AsyncIterator[FakeDaemon]:
    fake = FakeDaemon(command.places.socket)
    await fake.start()
    yield fake
    await fake.kill()


def result(**members: Any) -> Any:
    return lambda request: {"result": members}


def refusal(message: str, code: str) -> Any:
    return lambda request: {"error": {"code": -32000, "message": message, "data": {"code": code}}}


async def test_an_answer_is_alone_on_standard_output(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.respond = result(**ANSWERED, answer="eu")
    ran = await command.shell(
        "agentbox ask --title Region --body '**why**' --option us --option 'eu::close by' --default us --timeout 2m "
        "--strict --agent claude --project shop --session s1 --key proc-1-2 --idempotency-key k")
    assert (ran.status, ran.output, ran.errors) == (0, "eu\n", "")
    hello, request = daemon.hellos[0], daemon.requests[0]
    assert (hello["agentbox"], hello["role"], len(hello["client"])) == (1, "cli", 32)
    assert hello["labels"] == {"agent": "claude", "project": "shop", "session": "s1", "key": "proc-1-2"}
    assert request["method"] == "ask_user"
    assert request["params"] == {
        "title": "Region", "body": "**why**", "options": ["us", {"label": "eu", "description": "close by"}],
        "default": "us", "timeout_s": 120, "strict": True, "idempotency_key": "k"}
    await daemon.until(lambda: daemon.delivered == [request["id"]])


@pytest.mark.parametrize(("script", "sent", "given", "status", "output"), [
    (f"{ASK} --multi --default 1,2", {"default": ["us", "eu"], "multi": True},
     {"answers": ["us", "eu"]}, 0, "us\neu\n"),
    (f"{ASK} --multi --default '[\"eu\"]'", {"default": ["eu"]}, {"answers": []}, 0, "\n"),
    (ASK, {}, {"reply": "neither"}, 0, "neither\n"),
    (f"agentbox ask --id {ITEM}", {"id": ITEM}, {"answer": "us"}, 0, "us\n"),
    ("agentbox input --title Name --multiline --default x", {"default": "x", "multiline": True},
     {"answer": "two\nlines"}, 0, "two\nlines\n"),
    ("agentbox confirm --title Push", {"title": "Push"}, {"confirmed": True}, 0, "yes\n"),
    ("agentbox confirm --title Push", {}, {"confirmed": False}, 1, "no\n"),
    ("agentbox confirm --title Push", {}, {"confirmed": False, "reply": "squash first"}, 1, "squash first\n"),
])
async def test_answers(
    command: CommandLine, daemon: FakeDaemon, script: str, sent: Message, given: Message, status: int, output: str
) -> None:
    daemon.respond = result(**ANSWERED, **given)
    ran = await command.shell(script)
    assert (ran.status, ran.output, ran.errors) == (status, output, "")
    assert sent.items() <= daemon.requests[0]["params"].items()


@pytest.mark.parametrize(("outcome", "status"), [
    ("expired", 3), ("dismissed", 3), ("retracted", 3), ("cancelled", 3), ("no_ui", 4), ("pending", 4)])
@pytest.mark.parametrize("script", [ASK, "agentbox confirm --title Push"])
async def test_where_nobody_answered(
    command: CommandLine, daemon: FakeDaemon, script: str, outcome: str, status: int
) -> None:
    extra = {"confirmed": False} if "confirm" in script else {}
    daemon.respond = result(id=ITEM, outcome=outcome, seen=False, **extra)
    ran = await command.shell(script)
    assert (ran.status, ran.output) == (status, "")
    assert ran.errors.startswith("agentbox: ") and ran.errors.count("\n") == 1
    ran = await command.shell(f"{script} --json")
    assert (ran.status, json.loads(ran.output)["outcome"], ran.errors) == (status, outcome, "")


async def test_a_default_is_an_answer(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.respond = result(**ANSWERED | {"default_applied": True}, answer="us", note="Raised to 5.")
    ran = await command.shell(f"{ASK} --default us --timeout 1")
    assert (ran.status, ran.output, ran.errors) == (0, "us\n", "agentbox: Raised to 5.\n")


@pytest.mark.parametrize(("code", "status"), [
    ("invalid", 2), ("not_found", 2), ("ambiguous", 2), ("ended", 4), ("changed", 4), ("person_only", 4),
    ("store", 4), ("failed", 4)])
async def test_refusals(command: CommandLine, daemon: FakeDaemon, code: str, status: int) -> None:
    daemon.respond = refusal("title is at most 200 characters; 201 were sent.", code)
    for script in (ASK, "agentbox dismiss itm_1", "agentbox notify --title x"):
        ran = await command.shell(script)
        assert (ran.status, ran.output) == (status, "")
        assert ran.errors == "agentbox: title is at most 200 characters; 201 were sent.\n"


async def test_a_refused_hello_is_said(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.refusal = {"agentbox": "refused", "message": "key proc-1-2 is not yours.", "code": "invalid"}
    ran = await command.shell("agentbox notify --title x --key proc-1-2")
    assert (ran.status, ran.errors) == (2, "agentbox: key proc-1-2 is not yours.\n")


async def test_the_hook_of_three_lines(command: CommandLine, daemon: FakeDaemon) -> None:
    hook = """\
agentbox confirm --title 'Push?' --body "$(printf 'one\\ntwo')" --timeout 120 || exit 1
echo pushed
"""
    daemon.respond = result(**ANSWERED, confirmed=True)
    assert (await command.shell(hook)).output == "yes\npushed\n"
    assert daemon.requests[0]["params"]["body"] == "one\ntwo"
    daemon.respond = result(**ANSWERED, confirmed=False)
    ran = await command.shell(hook)
    assert (ran.status, ran.output) == (1, "no\n")


async def test_notify_and_retract(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.respond = result(id=ITEM)
    ran = await command.shell("agentbox notify --title Done --level success --image /a.png --speak done")
    assert (ran.status, ran.output) == (0, f"{ITEM}\n")
    assert daemon.requests[0]["params"] == {
        "title": "Done", "level": "success", "image": "/a.png", "speak": "done"}
    daemon.respond = result(retracted=True, ids=[ITEM, "itm_2"])
    ran = await command.shell("agentbox retract")
    assert (ran.status, ran.output) == (0, f"{ITEM}\nitm_2\n")
    assert daemon.requests[-1]["params"] == {}
    daemon.respond = result(retracted=False, ids=[])
    ran = await command.shell(f"agentbox retract {ITEM}")
    assert (ran.status, ran.output, daemon.requests[-1]["params"]) == (0, "", {"id": ITEM})


async def test_what_waits_is_listed_without_anything_a_terminal_acts_on(
    command: CommandLine, daemon: FakeDaemon
) -> None:
    item = {"id": ITEM, "kind": "question", "level": "info", "title": "Boo\x1b[2J\nitm_fake", "agent": "cla\u202eude",
            "project": "shop", "age_s": 125.0, "options": ["us", "e\x07u"], "state": "waiting"}
    daemon.respond = result(items=[item])
    ran = await command.shell("agentbox pending")
    lines = ran.output.split("\n")
    assert ran.status == 0 and lines[0] == f"{ITEM}  question  info  2m  waiting  cla⟨U+202E⟩ude · shop"
    assert lines[1:] == ["  Boo⟨U+001B⟩[2J ⏎ itm_fake", "    1  us", "    2  e⟨U+0007⟩u", ""]
    assert json.loads((await command.shell("agentbox pending --json")).output) == [item]
    daemon.respond = result(items=[])
    ran = await command.shell("agentbox pending")
    assert (ran.status, ran.output, ran.errors) == (0, "", "Nothing is waiting.\n")


async def test_an_answer_is_drawn_harmless_on_a_terminal_and_exact_in_a_pipe(
    command: CommandLine, daemon: FakeDaemon
) -> None:
    daemon.respond = result(**ANSWERED, answer="\x1b[31mred")
    assert (await command.shell(ASK)).output == "\x1b[31mred\n"
    on_a_terminal = f"script -qec '{ASK}' /dev/null"
    assert (await command.shell(on_a_terminal)).output.strip() == "⟨U+001B⟩[31mred"


async def test_answering_carries_the_digest_of_what_was_read(command: CommandLine, daemon: FakeDaemon) -> None:
    def respond(request: Message) -> Message:
        if request["method"] == "read_item":
            return {"result": {"id": ITEM, "title": "Region", "digest": "d1", "options": ["us", "eu"]}}
        return {"result": {"id": ITEM, "state": "grace"}}

    daemon.respond = respond
    ran = await command.shell("agentbox answer itm_06 2")
    assert (ran.status, ran.output, ran.errors) == (0, "", "Answered: Region\n")
    assert [request["params"] for request in daemon.requests] == [
        {"id": "itm_06"}, {"id": ITEM, "digest": "d1", "value": "2"}]
    ran = await command.shell("agentbox answer itm_06 --reply 'not now' --json")
    assert json.loads(ran.output) == {"id": ITEM, "state": "grace"}
    assert daemon.requests[-1]["params"] == {"id": ITEM, "digest": "d1", "reply": "not now"}


async def test_the_persons_other_verbs(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.respond = result(id=ITEM, state="closed")
    assert (await command.shell("agentbox dismiss itm_06")).status == 0
    daemon.respond = result(summoned=False)
    ran = await command.shell("agentbox summon")
    assert (ran.status, ran.errors) == (0, "Nothing is on screen to give the keyboard to.\n")
    status = {"pid": 7, "version": "1.2", "instance": "", "display": "x11", "pending": 3, "uptime_s": 5.0}
    daemon.respond = result(**status)
    assert (await command.shell("agentbox status")).output == (
        "AgentBox 1.2 is running (process 7, display x11); 3 waiting.\n")
    assert json.loads((await command.shell("agentbox status --json")).output) == status
    daemon.respond = result()
    assert (await command.shell("agentbox quit")).status == 0
    assert [request["method"] for request in daemon.requests] == ["dismiss", "summon", "status", "status", "quit"]


async def test_quit_without_a_daemon_starts_none(command: CommandLine) -> None:
    command.daemon_is("open(sys.argv[0] + '.started', 'w').close()")
    ran = await command.shell("agentbox quit")
    assert (ran.status, ran.errors) == (0, "AgentBox is not running.\n")
    assert not command.starter.with_suffix(".started").exists()


async def test_the_same_question_is_sent_again_to_a_new_daemon(command: CommandLine, daemon: FakeDaemon) -> None:
    process = await command.start("ask", "--title", "Region", "--option", "us", "--option", "eu")
    await daemon.until(lambda: len(daemon.requests) == 1)
    await daemon.kill()
    daemon.respond = result(**ANSWERED, answer="eu")
    await daemon.start()
    ran = await finished(process)
    assert (ran.status, ran.output, ran.errors) == (0, "eu\n", "")
    assert daemon.requests[0] == daemon.requests[1] and daemon.hellos[0] == daemon.hellos[1]


@pytest.mark.parametrize(("words", "hint"), [
    (("--title", "Region", "--option", "us", "--option", "eu"), "agentbox pending"),
    (("--id", ITEM), f"agentbox ask --id {ITEM}")])
async def test_after_a_quit_the_verb_says_how_to_wait_again(
    command: CommandLine, daemon: FakeDaemon, words: tuple[str, ...], hint: str
) -> None:
    process = await command.start("ask", *words)
    await daemon.until(lambda: len(daemon.requests) == 1)
    await daemon.bye()
    ran = await finished(process)
    assert (ran.status, ran.output) == (4, "")
    assert "the question stays" in ran.errors and hint in ran.errors
    await daemon.start()


async def test_ctrl_c_is_quiet_and_130(command: CommandLine, daemon: FakeDaemon) -> None:
    process = await command.start("confirm", "--title", "Push")
    await daemon.until(lambda: len(daemon.requests) == 1)
    process.send_signal(signal.SIGINT)
    ran = await finished(process)
    assert (ran.status, ran.output, ran.errors) == (130, "", "")
    assert daemon.delivered == []


async def test_a_reader_that_has_gone_is_no_traceback(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.respond = result(items=[{
        "id": f"{ITEM}{number}", "kind": "notice", "level": "info", "title": "x" * 200, "agent": "a", "project": "p",
        "age_s": 0, "options": [], "state": "seen"} for number in range(2000)])
    ran = await command.shell("agentbox pending | head -n 1")
    assert ran.errors == "" and ran.output.startswith(ITEM)


async def test_an_answer_that_could_not_be_written_is_not_delivered(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.respond = result(**ANSWERED, answer="eu")
    ran = await command.shell(f"{ASK} > /dev/full")
    assert ran.status == 4 and "could not be written" in ran.errors
    assert (await command.shell(f"{ASK} >&-")).status == 0
    await daemon.until(lambda: len(daemon.delivered) == 1)


async def test_a_daemon_that_does_not_answer_ends_no_hook(command: CommandLine, daemon: FakeDaemon) -> None:
    daemon.respond = park
    ran = await command.shell("timeout 15 agentbox notify --title x", deadline_s=20)
    assert ran.status == 4 and "no answer within 10 s" in ran.errors


async def test_a_broken_home_says_why(command: CommandLine) -> None:
    ran = await command.shell("AGENTBOX_HOME=relative agentbox notify --title x")
    assert (ran.status, ran.errors) == (4, "agentbox: AGENTBOX_HOME must be an absolute path, but is 'relative'.\n")
    command.places.socket.write_text("not a socket")
    assert (await command.shell("agentbox quit")).status == 0


async def test_logs_are_readable(command: CommandLine) -> None:
    lines = [{"event": "client_connected", "role": "cli", "level": "info", "at": "2026-01-01T00:00:00Z"},
             {"event": "qt_message", "text": "\x1b[2J", "level": "warning", "at": "2026-01-01T00:00:01Z"}]
    command.places.log.mkdir()
    command.places.log_file.write_text("\n".join(map(json.dumps, lines)) + "\n")
    ran = await command.shell("agentbox logs")
    first, second = ran.output.splitlines()
    assert first.split() == ["2026-01-01T00:00:00Z", "info", "client_connected", "role=cli"]
    assert "⟨U+001B⟩" in second
    assert json.loads((await command.shell("agentbox logs -n 1 --json")).output) == lines[1]


async def test_logs_follow_over_a_rotation(command: CommandLine) -> None:
    command.places.log.mkdir()
    log = command.places.log_file
    log.write_text('{"event": "one"}\n')
    process = await command.start("logs", "--follow")
    assert process.stdout is not None
    async with asyncio.timeout(10):
        assert b"one" in await process.stdout.readline()
        with log.open("a") as file:
            file.write('{"event": "two"}\n')
        assert b"two" in await process.stdout.readline()
        log.rename(log.with_suffix(".1"))
        log.write_text('{"event": "three"}\n')
        assert b"three" in await process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert (await finished(process)).status == 130
