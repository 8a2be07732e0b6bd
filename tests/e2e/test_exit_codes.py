"""What a script may branch on: each exit code by a real shell, and the hook of three lines."""

import json
from pathlib import Path

import pytest

from tests.helpers.desk import Desk
from tests.helpers.waiting import wait_until


def test_0_answered(headless: Desk) -> None:
    asked = headless.begin("ask", "--title", "Which?", "--option", "eu::close", "--option", "us", "--multi")
    headless.answer("Which?", "1,2")
    ran = asked.finish()
    assert (ran.exit, ran.out) == (0, "eu\nus\n")


def test_0_typed_words(headless: Desk) -> None:
    asked = headless.begin("input", "--title", "Name?")
    headless.answer("Name?", "fix/rounding")
    ran = asked.finish()
    assert (ran.exit, ran.out) == (0, "fix/rounding\n")


def test_0_the_callers_default(headless: Desk) -> None:
    asked = headless.cli("ask", "--title", "Which?", "--option", "eu", "--option", "us", "--default", "us",
                         "--timeout", "5", "--json")
    result = asked.json()
    assert (asked.exit, result["answer"], result["default_applied"], result["seen"]) == (0, "us", True, False)


def test_1_no_and_a_reply_is_no_yes(headless: Desk) -> None:
    for words in (("no",), ("--reply", "after lunch")):
        asked = headless.begin("confirm", "--title", "Push?")
        headless.answer("Push?", *words)
        assert asked.finish().exit == 1
        wait_until(lambda: headless.pending() == [], "the answer to be gone")


@pytest.mark.parametrize("words", [
    ["ask", "--title", "One option?", "--option", "a"],
    ["ask"],
    ["asc", "--title", "x"],
    ["confirm", "--title", "x", "--timeout", "soon"],
    ["answer", "itm_nothing", "1"],
    ["confirm", "--title", "x" * 201],
    ["notify", "--title", "x", "--level", "loud"],
    ["mcp", "--toolset", "kitchen"],
])
def test_2_a_wrong_command_shows_the_right_form(headless: Desk, words: list[str]) -> None:
    ran = headless.cli(*words)
    assert ran.exit == 2
    assert ran.out == ""
    assert len(ran.err.strip()) > 20
    assert "Traceback" not in ran.err


def test_3_nobody_answered(headless: Desk) -> None:
    assert headless.cli("confirm", "--title", "Anybody?", "--timeout", "5").exit == 3
    asked = headless.begin("ask", "--title", "Which?", "--option", "a", "--option", "b")
    assert headless.cli("dismiss", headless.wait_for_pending("Which?")["id"]).exit == 0
    assert asked.finish().exit == 3


def test_4_nobody_could_ever_answer(bare_desk: Desk) -> None:
    bare_desk.configure("[safety]\nperson_verbs = false\n")
    bare_desk.start()
    ran = bare_desk.cli("confirm", "--title", "Anybody?", "--json")
    assert (ran.exit, ran.json()["outcome"]) == (4, "no_ui")


def test_4_a_fault(headless: Desk) -> None:
    ran = headless.shell("AGENTBOX_HOME=/dev/null/nowhere agentbox notify --title x")
    assert ran.exit == 4
    assert "AGENTBOX_HOME" in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_an_ask_without_a_daemon_starts_one(bare_desk: Desk) -> None:
    asked = bare_desk.begin("ask", "--title", "Which?", "--option", "a", "--option", "b")
    bare_desk.answer("Which?", "2")
    assert asked.finish().out == "b\n"


HOOK = """#!/bin/sh
agentbox confirm --title "Push $(git rev-parse --abbrev-ref HEAD)?" \\
  --body "$(git log --oneline -5)" --timeout 120 || exit 1
"""


def test_the_pre_push_hook_of_three_lines(headless: Desk, tmp_path: Path) -> None:
    script = f"""
set -e
git init -q --bare origin.git
git init -q -b main work && cd work
git config user.email a@b.c && git config user.name t
git commit -q --allow-empty -m "first commit"
git remote add origin ../origin.git
cat > .git/hooks/pre-push <<'END'
{HOOK}
END
chmod +x .git/hooks/pre-push
git push -q origin main
"""
    for answer, pushed in (("no", 1), ("yes", 0)):
        place = tmp_path / answer
        place.mkdir()
        pushing = headless._begin(["bash", "-c", script], None, place)
        item = headless.wait_for_pending("Push main?")
        assert item["project"] == "work"
        headless.answer("Push main?", answer)
        assert pushing.finish(30).exit == pushed
        wait_until(lambda: headless.pending() == [], "the answer to be gone")


def test_json_is_whole_and_pipes_may_close(own_headless: Desk) -> None:
    for number in range(40):
        own_headless.cli("notify", "--title", f"Notice {number}", "--level", "error")
    ran = own_headless.shell("agentbox pending | head -1; echo ${PIPESTATUS[0]}")
    assert "Traceback" not in ran.err
    assert len(json.loads(own_headless.cli("pending", "--json").out)) == 40
