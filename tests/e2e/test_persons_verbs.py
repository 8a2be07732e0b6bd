"""Who may answer: the person, and no descendant of an agent."""

from tests.helpers.agent import Agent
from tests.helpers.desk import Desk


def test_an_agents_descendant_is_refused_and_another_shell_is_not(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        call = agent.connect().call("confirm_action", title="Push?")
        waiting = own_headless.wait_for_pending("Push?")["id"]
        for script in (f"agentbox answer {waiting} yes", f"setsid agentbox answer {waiting} yes",
                       f"bash -c 'agentbox dismiss {waiting}'", "agentbox quit", "agentbox summon"):
            refused = agent.shell(script)
            assert refused.exit == 4, script
            assert "person" in refused.err
        assert own_headless.wait_for_pending("Push?")["state"] in ("waiting", "seen")
        assert own_headless.cli("answer", waiting, "yes").exit == 0
        assert call.result()["confirmed"] is True


def test_an_agent_may_read_what_waits(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        agent.connect().call("confirm_action", title="Push?")
        own_headless.wait_for_pending("Push?")
        assert agent.shell("agentbox status --json").json()["pending"] == 1
        assert "Push?" in agent.shell("agentbox pending").out


def test_an_agents_own_shell_asks_in_its_session(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        bridge = agent.connect()
        agent.shell("agentbox notify --title 'From a script' --level error")
        taken = bridge.call("retract").result()
        assert taken["retracted"] is True  # the script's notice belongs to the agent's session


def test_a_key_is_taken_only_from_below_its_agent(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        agent.connect()
        session = next(line["session"] for line in own_headless.log("client_connected") if line["role"] == "mcp")
        assert agent.shell(f"agentbox notify --title Mine --level error --key {session}").exit == 0
        stranger = own_headless.cli("notify", "--title", "Not mine", "--key", session)
        assert stranger.exit == 2
        assert "key" in stranger.err


def test_a_label_is_no_identity(own_headless: Desk) -> None:
    with Agent(own_headless) as agent:
        agent.connect().call("ask_user", title="Mine?", options=["a", "b"])
        own_headless.wait_for_pending("Mine?")
        session = next(line["session"] for line in own_headless.log("client_connected") if line["role"] == "mcp")
        own_headless.cli("retract", "--session", session, "--agent", "test-agent")
        assert [item["title"] for item in own_headless.pending()] == ["Mine?"]
