"""Stand-ins for the MCP clients' own programs, and for the bridge: they write and say what the real ones do.

What they write was read off Claude Code 2.1.197, Codex 0.171 and Gemini CLI 0.61.
"""

import sys
from pathlib import Path

_CLAUDE = '''
import json, os, pathlib, sys
folder = os.environ.get("CLAUDE_CONFIG_DIR") or os.environ["HOME"]
file = pathlib.Path(folder, ".claude.json")
root = json.loads(file.read_text()) if file.exists() else {"userID": "0"}
servers = root.setdefault("mcpServers", {})
arguments = sys.argv[1:]
if arguments[:4] == ["mcp", "remove", "--scope", "user"]:
    del servers[arguments[4]]
elif arguments[:4] == ["mcp", "add", "--scope", "user"]:
    name, at = arguments[4], arguments.index("--")
    if name in servers:
        sys.exit(f"MCP server {name} already exists in user config")
    variables = dict(word.split("=", 1) for word in arguments[5:at] if word != "--env")
    servers[name] = {"type": "stdio", "command": arguments[at + 1], "args": arguments[at + 2:], "env": variables}
else:
    sys.exit(f"unknown: {arguments}")
file.write_text(json.dumps(root, indent=2))
'''
_CODEX = '''
import os, pathlib, sys, tomlkit
file = pathlib.Path(os.environ.get("CODEX_HOME") or pathlib.Path(os.environ["HOME"], ".codex"), "config.toml")
file.parent.mkdir(exist_ok=True)
root = tomlkit.parse(file.read_text()) if file.exists() else tomlkit.document()
arguments = sys.argv[1:]
assert arguments[:2] == ["mcp", "add"], arguments
at = arguments.index("--")
server = tomlkit.table()
server["command"], server["args"] = arguments[at + 1], arguments[at + 2:]
variables = dict(word.split("=", 1) for word in arguments[3:at] if word != "--env")
if variables:
    server["env"] = variables
root.setdefault("mcp_servers", tomlkit.table(True))[arguments[2]] = server
file.write_text(tomlkit.dumps(root))
'''
_GEMINI = '''
import argparse, json, os, pathlib
parser = argparse.ArgumentParser()
parser.add_argument("mcp"), parser.add_argument("add"), parser.add_argument("--scope", required=True)
parser.add_argument("--timeout", type=int), parser.add_argument("--env", action="append", default=[])
parser.add_argument("name"), parser.add_argument("command")
parser.add_argument("args", nargs=argparse.REMAINDER)
given = parser.parse_args()
assert given.scope == "user"
file = pathlib.Path(os.environ["HOME"], ".gemini", "settings.json")
file.parent.mkdir(exist_ok=True)
root = json.loads(file.read_text()) if file.exists() else {}
server = {"command": given.command, "args": given.args}
if given.env:
    server["env"] = dict(word.split("=", 1) for word in given.env)
root.setdefault("mcpServers", {})[given.name] = server | {"timeout": given.timeout}
file.write_text(json.dumps(root, indent=2))
'''
_BRIDGE = '''
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "b", "version": "1"}}
    elif message["method"] == "tools/list":
        result = {"tools": [{"name": f"tool_{number}"} for number in range(4)]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
'''
PROGRAMS = {"claude": _CLAUDE, "codex": _CODEX, "gemini": _GEMINI, "bridge": _BRIDGE}


def install_program(name: str, folder: Path, source: str = "") -> Path:
    """Put the stand-in (or another script, `source`) into `folder` as an executable."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!{sys.executable}\n{source or PROGRAMS[name]}", encoding="utf-8")
    program.chmod(0o755)
    return program
